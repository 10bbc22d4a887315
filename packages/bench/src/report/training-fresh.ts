// A fresh draw as text: one line per method, then the last method's figures by fault, framework and way of logging.

import type { Breakdown, FreshReport } from '../training/fresh/run.js';
import type { FirstSight, Share } from '../training/measures/first-sight.js';

const columns: readonly (readonly [key: keyof FirstSight, title: string])[] = [
  ['failing', 'failing runs right'],
  ['decidable', 'of those that tell'],
  ['commits', 'right when it speaks'],
  ['causes', 'right when named'],
  ['false_alarms', 'false alarms'],
  ['healthy_said', 'healthy right'],
  ['healthy_found', 'healthy found'],
];

export function renderFresh({ seed, drawn, runs, methods, by }: FreshReport): string {
  const lines = [
    `${runs} runs kept of ${drawn} recipes drawn (seed ${seed}); first sight only where the seed was not used to develop.`,
    ['method'.padEnd(8), ...columns.map(([, title]) => title.padStart(22))].join(''),
    ...Object.entries(methods).map(([name, figures]) =>
      [name.padEnd(8), ...columns.map(([key]) => shown(figures[key]).padStart(22))].join(''),
    ),
    ...Object.entries(by).flatMap(([title, rows]) => ['', ...broken(title, rows)]),
  ];
  return `${lines.join('\n')}\n`;
}

function broken(title: string, rows: Breakdown): string[] {
  const line = (name: string, figures: readonly string[]): string =>
    [name.padEnd(30), ...figures.map((text) => text.padStart(22))].join('');
  return [
    line(`by ${title}`, ['failing runs right', 'right when it speaks', 'false alarms', 'healthy found']),
    ...Object.entries(rows).map(([name, { failing, commits, false_alarms, healthy_found }]) =>
      line(name, [failing, commits, false_alarms, healthy_found].map(shown)),
    ),
  ];
}

function shown({ right, of }: Share): string {
  return of === 0 ? '–' : `${(right / of).toFixed(3).replace(/^0/, '')} (${right} of ${of})`;
}
