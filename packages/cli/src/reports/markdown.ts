// A summary for a pull request. What cells and data say stands in code alone, where it is neither a link, a mention nor HTML.
import { exceptionText, visible } from '@grus/core';
import { crashesOf, type NotebookReport, type Summary } from '../pipeline/report.js';
import { plainStyle } from '../terminal/style.js';
import { textOfNotebook, textOfSummary } from './text.js';

/** Code hosts refuse longer comments. */
const longest = 60_000;

export function markdownReport(reports: readonly NotebookReport[], summary: Summary): string {
  const bad = reports.filter(({ outcome, problem }) => outcome === 'crash' || problem !== null);
  const rows = bad.flatMap((report) => {
    const found = crashesOf(report).map(({ cell, verdict }) => {
      const what = verdict.exception ? exceptionText(verdict.exception) : 'an exception';
      return row(report.path, `${cell.number}`, verdict.line === null ? '' : `${verdict.line}`, what);
    });
    return report.problem === null ? found : [...found, row(report.path, '', '', report.problem)];
  });
  const table =
    rows.length === 0 ? [] : ['| notebook | cell | line | what |', '| --- | --- | --- | --- |', ...rows, ''];
  const head = ['## Grus', '', textOfSummary(summary, plainStyle).trim(), '', ...table].join('\n');
  const stories = bad.map((report) => fenced(textOfNotebook(report, plainStyle).trim()));
  return `${[head, ...fitting(stories, longest - head.length)].join('\n')}\n`;
}

function row(path: string, cell: string, line: string, what: string): string {
  return `| ${code(path)} | ${cell} | ${line} | ${code(what.split('\n')[0]!.slice(0, 200))} |`;
}

/** In a table a bar ends the column, in code as well. */
function code(text: string): string {
  const told = visible(text).replaceAll('|', '\\|');
  const fence = fenceFor(told, 1);
  return `${fence} ${told} ${fence}`;
}

function fenced(text: string): string {
  const fence = fenceFor(text, 3);
  return `${fence}text\n${text}\n${fence}\n`;
}

/** Longer than every run of backticks inside. */
function fenceFor(text: string, least: number): string {
  const runs = [...text.matchAll(/`+/g)].map(([run]) => run.length);
  return '`'.repeat(Math.max(least, ...runs.map((length) => length + 1)));
}

function fitting(stories: readonly string[], room: number): string[] {
  const shown: string[] = [];
  for (const [index, story] of stories.entries()) {
    room -= story.length;
    if (room < 0) return [...shown, `${stories.length - index} more are in the log.`];
    shown.push(story);
  }
  return shown;
}
