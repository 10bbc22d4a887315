// The summary of the training benchmark for docs/: the same tables in Markdown, and whether what was aimed at is reached.
import type { TrainingReport } from '../training/run.js';
import { share } from './table.js';
import { trainingSections } from './training.js';

const leftAway = /^Methods in pairs|^Precision \/ recall/;

export function renderTrainingMarkdown(report: TrainingReport): string {
  const sections = trainingSections(report, markdownTable)
    .filter(({ title }) => !leftAway.test(title))
    .map(
      ({ title, body, note }) =>
        `## ${title}\n\n${body}${note ? `\n\n${note.replaceAll('\n', '  \n')}` : ''}`,
    );
  return `${[
    '# The training benchmark',
    'Written by `grus bench training --summary docs/training-benchmark.md`; `--html FILE` writes the page with the figures. Every run is a',
    'real one: the script that made it lies in `scenarios/`, its label follows `scenarios/LABELS.md`.',
    '',
    bars(report),
    '',
    'Cross-validation keeps the learned models honest, not the people who write detectors after looking at what was missed: expect less on',
    'runs that nobody here has seen. `grus bench training --data DIR` measures it on any folder of runs with a `labels.json`.',
    '',
    sections.join('\n\n'),
  ].join('\n')}\n`;
}

function bars({ methods, left_out, lead }: TrainingReport): string {
  const hybrid = methods['hybrid'];
  const tree = methods['tree'];
  const lowest =
    left_out.length === 0 ? null : Math.min(...left_out.map(({ accuracy }) => accuracy['hybrid'] ?? 1));
  const fifty = lead?.leads.find(({ steps_ahead }) => steps_ahead === 50);
  const underWay = sum(lead?.kinds.map((row) => row.under_way_50_ahead) ?? []);
  const warned = sum(lead?.kinds.map((row) => row.warned_50_ahead) ?? []);
  const rows: [string, string, string, boolean | null][] = [
    ['hybrid, all runs', '95 %', share(hybrid?.accuracy ?? null), (hybrid?.accuracy ?? 0) >= 0.95],
    [
      'hybrid, what it commits to',
      '98 %',
      share(hybrid?.selective.accuracy ?? null),
      (hybrid?.selective.accuracy ?? 0) >= 0.98,
    ],
    [
      'explainable boosting',
      '95 %',
      share(methods['ebm']?.accuracy ?? null),
      (methods['ebm']?.accuracy ?? 0) >= 0.95,
    ],
    ['improved rules', '80 %', share(tree?.accuracy ?? null), (tree?.accuracy ?? 0) >= 0.8],
    [
      'improved rules, silent',
      'at most 15 %',
      share(tree?.selective.abstention ?? null),
      (tree?.selective.abstention ?? 1) <= 0.15,
    ],
    [
      'failures diagnosed in healthy runs by the hybrid',
      '0',
      String(hybrid?.false_alarms ?? '–'),
      hybrid?.false_alarms === 0,
    ],
    [
      'hybrid on what was left out of training, the lowest',
      '85 %',
      share(lowest),
      lowest === null ? null : lowest >= 0.85,
    ],
    [
      'false warnings per 1,000 healthy steps',
      'at most 0.1',
      lead ? (lead.false_per_1000_steps ?? 0).toFixed(3) : '–',
      lead ? (lead.false_per_1000_steps ?? 0) <= 0.1 : null,
    ],
    [
      'precision of warnings 50 steps ahead',
      '90 %',
      share(fifty?.precision ?? null),
      fifty?.precision === undefined || fifty.precision === null ? null : fifty.precision >= 0.9,
    ],
    [
      'explosion, memory growth, divergence under way 50 steps ahead: warned of by then',
      'all',
      lead ? `${warned} of ${underWay}` : '–',
      lead ? warned === underWay : null,
    ],
  ];
  return markdownTable(
    ['figure', 'aimed at', 'measured', 'reached'],
    rows.map(([name, aim, found, reached]) => [
      name,
      aim,
      found,
      reached === null ? 'not measured' : reached ? 'yes' : 'no',
    ]),
  );
}

function markdownTable(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  if (rows.length === 0) return '';
  return [
    line(headings),
    line(headings.map((_, index) => (index === 0 ? '---' : '---:'))),
    ...rows.map(line),
  ].join('\n');
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
