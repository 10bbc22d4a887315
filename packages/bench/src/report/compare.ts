// The report of compared runs for terminals: how often the planted change came first, and every pair that went wrong.
import type { CompareReport } from '../compare/run.js';
import { renderTable } from './table.js';

export function renderCompare({
  data,
  planted,
  named_first,
  apart,
  seed_only,
  invented,
  pairs,
}: CompareReport): string {
  const wrong = pairs.filter(({ right }) => !right);
  return [
    `Pairs of ${data}`,
    renderTable(
      ['', 'pairs'],
      [
        ['one planted change', String(planted)],
        ['named first', `${named_first} of ${planted}`],
        ['seen to end differently', `${apart} of ${planted}`],
        ['seed alone', String(seed_only)],
        ['an explanation invented', `${invented} of ${seed_only}`],
      ],
    ),
    ...(wrong.length === 0
      ? []
      : [
          renderTable(
            ['wrong', 'planted', 'endings', 'named', 'place of the planted one'],
            wrong.map(({ pair, changed, endings, named, place }) => [
              pair,
              changed.join(', ') || 'nothing',
              endings,
              named ?? 'nothing',
              String(place ?? 'none'),
            ]),
          ),
        ]),
  ].join('\n\n');
}
