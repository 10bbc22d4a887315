// The report of many notebooks in one call, for terminals.
import type { ManyReport } from '../many/run.js';

export function renderMany({ notebooks, seconds, outcomes, wrong, megabytes, left }: ManyReport): string {
  const told = Object.entries(outcomes).map(([outcome, count]) => `${count} ${outcome}`);
  return [
    `${notebooks} notebooks in ${seconds.toFixed(0)} s: ${told.join(', ')}.`,
    `Memory of the command in each quarter of its time: ${megabytes.map((mb) => `${mb.toFixed(0)} MB`).join(', ')}.`,
    `Processes left behind: ${left}. Told wrongly: ${wrong.length}.`,
    ...wrong.map((text) => `  ${text}`),
  ].join('\n');
}
