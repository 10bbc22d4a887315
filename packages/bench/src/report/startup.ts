// The report of start-up times for terminals.
import { basename } from 'node:path';
import type { StartupReport } from '../startup/run.js';
import { renderTable } from './table.js';

export function renderStartup({ rounds, rows, runs, tensorboardOverDiagnosis }: StartupReport): string {
  return [
    `From the shell and back, the commands taking turns ${rounds} times`,
    renderTable(
      ['command', 'median ms', 'fastest ms', 'times node -e 0'],
      rows.map((row) => [
        row.command,
        row.medianMs.toFixed(0),
        row.fastestMs.toFixed(0),
        row.overNode.toFixed(1),
      ]),
    ),
    `Diagnosed, small to large: ${runs.map((run) => basename(run)).join(', ')}.`,
    tensorboardOverDiagnosis === null
      ? 'Python without TensorBoard: its import was not measured.'
      : `Importing TensorBoard's reader takes ${tensorboardOverDiagnosis.toFixed(1)} times as long as a whole diagnosis.`,
  ].join('\n\n');
}
