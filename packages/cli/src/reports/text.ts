// Many notebooks for people: a line for each, the whole story of each crash, and one summary.
import { textOf, visible } from '@grus/core';
import { crashesOf, type NotebookReport, type Summary, type UnjudgedCell } from '../pipeline/report.js';
import { renderVerdict } from '../render/verdict.js';
import type { Style } from '../terminal/style.js';
import { labelled } from '../terminal/wrap.js';

export function textReport(reports: readonly NotebookReport[], summary: Summary, style: Style): string {
  return `${reports.map((report) => textOfNotebook(report, style)).join('')}${textOfSummary(summary, style)}`;
}

export function textOfNotebook(report: NotebookReport, style: Style): string {
  const path = visible(report.path);
  const crashes = crashesOf(report).map(({ cell, verdict }) =>
    renderVerdict({ verdict, subject: `${path} cell ${cell.number}`, source: cell.source }, style),
  );
  const lines = crashes.length > 0 ? crashes : [quietLine(report, path, style)];
  for (const note of notesOn(report.unjudged)) lines.push(style.dim(labelled('  note  ', note, style.width)));
  return `${lines.join('\n')}\n`;
}

export function textOfSummary(summary: Summary, style: Style): string {
  const { notebooks, crash, ok, unknown, problems, ms } = summary;
  const parts = [
    crash > 0 && style.red(`${crash} would crash`),
    ok > 0 && `${ok} ran`,
    unknown - problems > 0 && `${unknown - problems} without a certain answer`,
    problems > 0 && style.red(`${problems} could not be checked`),
  ].filter((part) => part !== false);
  const told = parts.length === 0 ? '' : `: ${parts.join(', ')}`;
  return `${style.bold(`${notebooks} ${notebooks === 1 ? 'notebook' : 'notebooks'}`)}${told} ${style.dim(`(${(ms / 1000).toFixed(1)} s)`)}\n`;
}

/** Cells that were not judged, those with the same reason together. */
export function notesOn(unjudged: readonly UnjudgedCell[]): string[] {
  const byReason = new Map<string, number[]>();
  for (const { cell, reason } of unjudged) {
    const text = textOf(reason);
    byReason.set(text, [...(byReason.get(text) ?? []), cell.number]);
  }
  return [...byReason].map(([text, numbers]) => visible(`${namesOf(numbers)} not judged: ${text}`));
}

/** "cell 3 was", "cells 4 to 9 were", "cells 4, 6 were". */
function namesOf(numbers: readonly number[]): string {
  const [first] = numbers;
  if (numbers.length === 1) return `cell ${first} was`;
  const last = numbers.at(-1)!;
  const dense = last - first! === numbers.length - 1;
  return `cells ${dense ? `${first} to ${last}` : numbers.join(', ')} were`;
}

function quietLine({ problem, outcome, cells }: NotebookReport, path: string, style: Style): string {
  if (problem !== null)
    return labelled(
      `${style.red('!')} `,
      `${style.bold(path)} could not be checked: ${visible(problem)}`,
      style.width,
    );
  const count = `${cells.length} ${cells.length === 1 ? 'cell' : 'cells'}`;
  return outcome === 'ok'
    ? `${style.green('✓')} ${style.bold(path)}: ${count} ran`
    : `${style.green('·')} ${style.bold(path)}: no certain crash found`;
}
