// A fresh draw as text: one line per method.

import type { FreshReport } from '../training/fresh/run.js';
import type { FirstSight, Share } from '../training/measures/first-sight.js';

const columns: readonly (readonly [key: keyof FirstSight, title: string])[] = [
  ['failing', 'failing runs right'],
  ['decidable', 'of those that tell'],
  ['commits', 'right when named'],
  ['false_alarms', 'false alarms'],
  ['healthy_said', 'healthy right'],
  ['healthy_found', 'healthy found'],
];

export function renderFresh({ seed, drawn, runs, methods }: FreshReport): string {
  const lines = [
    `${runs} runs kept of ${drawn} recipes drawn (seed ${seed}); first sight only where the seed was not used to develop.`,
    ['method'.padEnd(8), ...columns.map(([, title]) => title.padStart(22))].join(''),
    ...Object.entries(methods).map(([name, figures]) =>
      [name.padEnd(8), ...columns.map(([key]) => shown(figures[key]).padStart(22))].join(''),
    ),
  ];
  return `${lines.join('\n')}\n`;
}

function shown({ right, of }: Share): string {
  return of === 0 ? '–' : `${(right / of).toFixed(3).replace(/^0/, '')} (${right} of ${of})`;
}
