// The report of the guard's benchmark for terminals.
import type { ComparedCell } from '../guard/pairs.js';
import type { GuardReport } from '../guard/run.js';
import { renderTable } from './table.js';

export function renderGuard({ times, pairs }: GuardReport): string {
  const rows = times.map(({ megabytes, cells, median_ms, p95_ms, most_ms, cpu_ms, missed }) => [
    ...[`${megabytes} MB`, String(cells), median_ms.toFixed(1), p95_ms.toFixed(1), most_ms.toFixed(1)],
    ...[cpu_ms.kernel, cpu_ms.copies, cpu_ms.beside ?? Number.NaN].map((ms) => ms.toFixed(1)),
    String(missed),
  ]);
  const titles = ['median ms', 'p95 ms', 'most ms', 'kernel', 'copies', 'beside', 'missed'];
  const different = pairs.filter(({ same }) => !same);
  const early = pairs.filter(({ held_before }) => held_before > 0);
  return [
    ...(rows.length === 0
      ? []
      : [
          'Added time before a cell, and milliseconds of processor time for one on average',
          renderTable(['kernel', 'cells', ...titles], rows),
        ]),
    ...(pairs.length === 0
      ? []
      : [
          `Cells of live pairs in nbclient: the guard says what the command says of ${pairs.length - different.length} of ${pairs.length}.`,
          ...different.map(
            ({ instance, command, guard }) =>
              `  ${instance}: the command ${inWords(command)}, the guard ${inWords(guard)}`,
          ),
          ...early.map(({ instance, held_before }) => `  ${instance}: ${held_before} cells held before it`),
        ]),
  ].join('\n\n');
}

function inWords(crash: ComparedCell['command']): string {
  return crash === null ? 'is silent' : `${crash.exception} in line ${crash.line}`;
}
