// The report of the added time of a check for terminals.
import type { LatencyReport } from '../latency/run.js';
import { renderTable } from './table.js';

export function renderLatency({ rows, growth, pyright }: LatencyReport): string {
  const table = renderTable(
    ['kernel', 'checks', 'median ms', 'p95 ms', 'snapshot bytes'],
    rows.map((row) => [
      row.kernel,
      String(row.checks),
      row.medianMs.toFixed(1),
      row.p95Ms.toFixed(1),
      Math.round(row.medianBytes).toLocaleString('en'),
    ]),
  );
  return [
    'Added time of a check: snapshot, names and contracts, round trips included',
    table,
    `${rows.at(-1)?.kernel} takes ${growth.toFixed(2)} times as long as ${rows[0]?.kernel}.`,
    `pyright's command line on the same cells: median ${pyright.medianMs.toFixed(0)} ms, ${pyright.ratio.toFixed(0)} times the check.`,
  ].join('\n\n');
}
