// The report of what a dry run costs for terminals.
import type { DryCostReport } from '../dry/run.js';
import { renderTable } from './table.js';

export function renderDryCost({ rows, impossible, endurance }: DryCostReport): string {
  const table = renderTable(
    [
      'kernel',
      'isolation',
      'runs',
      'added ms',
      'p95 ms',
      'set-up ms',
      'kernel held ms',
      'added MB',
      'fresh kernel and replay ms',
    ],
    rows.map((row) => [
      row.kernel,
      row.isolation,
      String(row.runs),
      row.addedMs.median.toFixed(1),
      row.addedMs.p95.toFixed(1),
      row.setUpMs.median.toFixed(1),
      row.heldMs.median.toFixed(1),
      row.addedMb?.toFixed(1) ?? '–',
      row.replayMs.toFixed(0),
    ]),
  );
  const { runs, descriptors, threads, children, residentMb } = endurance;
  return [
    "Cost of a dry run beyond the cell's own time",
    table,
    ...impossible.map(({ isolation, because }) => `Not possible here: ${isolation} (${because}).`),
    `After ${runs} dry runs the kernel holds ${descriptors} more descriptors, ${threads} more threads, ${children} more processes and ${residentMb.toFixed(1)} MB more memory.`,
  ].join('\n\n');
}
