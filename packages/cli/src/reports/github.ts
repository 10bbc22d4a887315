// Annotations of GitHub's workflow log: one line for each crash, shown at the line of the notebook file. What cells and data
// say is escaped, so that it cannot become a command of its own.
import { exceptionText, visible } from '@grus/core';
import { crashesOf, type NotebookReport } from '../pipeline/report.js';
import { uriPath } from './paths.js';

export function githubReport(reports: readonly NotebookReport[]): string {
  return reports.flatMap(annotationsOf).join('');
}

function annotationsOf(report: NotebookReport): string[] {
  const file = uriPath(report.path);
  const crashes = crashesOf(report).map(({ cell, verdict, fileLine }) => {
    const { exception, explanation, remedy } = verdict;
    const what = exception ? exceptionText(exception) : 'an exception';
    const title = `cell ${cell.number} would crash`;
    const text = [what, explanation, remedy].filter((part) => part !== null).join('\n');
    return command('error', { file, line: String(fileLine ?? 1), title }, text);
  });
  const problem =
    report.problem === null
      ? []
      : [command('warning', { file, title: 'could not be checked' }, report.problem)];
  return [...crashes, ...problem];
}

function command(name: string, properties: Readonly<Record<string, string>>, text: string): string {
  const told = Object.entries(properties).map(([key, value]) => `${key}=${property(value)}`);
  return `::${name} ${told.join(',')}::${data(text)}\n`;
}

function data(text: string): string {
  return visible(text).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
