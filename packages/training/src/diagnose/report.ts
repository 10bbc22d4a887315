// The diagnosis for a terminal: the verdict in a line, the evidence with file and line, what to do and what not to, and the six
// panels with the onset marked. Narrow terminals get one column; colour only where it is asked for.
import { visibleIn } from '@grus/core';
import { actors } from '../causes/define.js';
import { causeOf } from '../causes/table.js';
import { lanesOf, pictureOf } from '../ranks/verdict/picture.js';
import { figure } from '../record/figures.js';
import type { RunRecord } from '../record/run-record.js';
import type { Diagnosis, Remedy } from '../rules/diagnosis.js';
import { brailleChart } from './braille.js';
import { type Panel, panelsOf } from './panels.js';
import { drawLanes } from './rank-picture.js';
import { wrap } from './wrap.js';

export interface ReportOptions {
  /** Columns of the terminal. Default 80; at least 40 are used. */
  readonly width?: number;
  /** ANSI colours. Default: none. */
  readonly color?: boolean;
}

type Paint = (code: number, text: string) => string;

const colours = { failed: 31, degraded: 33, healthy: 32, unknown: 36 } as const;

export function renderReport(told: Diagnosis, record: RunRecord, options: ReportOptions = {}): string {
  const diagnosis = visibleIn(told);
  const width = Math.min(120, Math.max(40, options.width ?? 80));
  const paint: Paint = (code, text) => (options.color ? `\u001b[${code}m${text}\u001b[0m` : text);
  const lines = [...verdict(diagnosis, width, paint)];
  if (diagnosis.evidence.length > 0)
    lines.push('', paint(1, 'Evidence'), ...evidence(diagnosis, width, paint));
  lines.push(...ranks(diagnosis, record, width, paint), ...remedies(diagnosis.remedies, width, paint));
  lines.push(...others(diagnosis, width, paint));
  const charts = panels(visibleIn(panelsOf(record)), diagnosis.onset_step, width, paint);
  if (charts.length > 0) lines.push('', ...charts);
  return `${lines.join('\n')}\n`;
}

const words = { failed: 'Failed', degraded: 'Degraded', healthy: 'Healthy', unknown: 'Noticed' } as const;

export function headline(diagnosis: Diagnosis): string {
  const sure = `${Math.round(diagnosis.confidence * 100)} %`;
  if (diagnosis.outcome === 'healthy') return `Healthy: nothing wrong was found (${sure})`;
  if (diagnosis.subcause === null)
    return diagnosis.outcome === 'failed'
      ? 'Failed; the cause is not established'
      : 'Too little evidence to say';
  const word = words[diagnosis.outcome];
  return `${word}: ${causeOf(diagnosis.subcause).title} (${sure})`;
}

/** Whose turn it is; null where no cause is established. */
export function whoActs({ subcause }: Diagnosis): string | null {
  return subcause === null ? null : `To act: ${actors[causeOf(subcause).actor]}.`;
}

function verdict(diagnosis: Diagnosis, width: number, paint: Paint): string[] {
  const where =
    diagnosis.subcause === null ? diagnosis.category : `${diagnosis.category} / ${diagnosis.subcause}`;
  const onset = diagnosis.onset_step === null ? '' : `, from step ${diagnosis.onset_step} on`;
  const reason = diagnosis.abstained ? (diagnosis.rungs.at(-1)?.abstained_because ?? null) : null;
  const actor = whoActs(diagnosis);
  return [
    ...wrap(headline(diagnosis), width).map((line) => paint(colours[diagnosis.outcome], paint(1, line))),
    ...wrap(`${diagnosis.path}: ${where}${onset}`, width).map((line) => paint(2, line)),
    ...(reason === null ? [] : wrap(`Abstained, ${reason}.`, width)),
    ...(actor === null ? [] : wrap(actor, width)),
  ];
}

function evidence(diagnosis: Diagnosis, width: number, paint: Paint): string[] {
  return diagnosis.evidence.flatMap((entry) => {
    const place = [
      entry.file === '' ? null : `${entry.file}${entry.line === undefined ? '' : `:${entry.line}`}`,
      entry.step === undefined ? null : `step ${entry.step}`,
    ].filter((part) => part !== null);
    const [first = '', ...rest] = wrap(entry.fact, width - 4);
    const source = place.length === 0 ? [] : [`    ${paint(2, place.join(', '))}`];
    return [`  - ${first}`, ...rest.map((line) => `    ${line}`), ...source];
  });
}

const actions = {
  restart: 'Restart the run.',
  exclude_node: 'Take the machine out of the run, then restart.',
  fix_code: 'Change the code or its settings; a restart would fail again.',
  fix_data: 'Mend the data; a restart would fail again.',
  unknown: null,
} as const;

function ranks(
  { ranks: told, action = 'unknown' }: Diagnosis,
  record: RunRecord,
  width: number,
  paint: Paint,
): string[] {
  const lines = told ? pictureOf(told) : [];
  if (lines.length === 0) return [];
  const next = actions[action];
  const lanes = told && told.first !== null ? drawLanes(lanesOf(told, record.dumps), width) : [];
  return [
    '',
    paint(1, 'Ranks'),
    ...[...lines, ...(next === null ? [] : [next])].flatMap((line) => {
      const [first = '', ...rest] = wrap(line, width - 4);
      return [`  - ${first}`, ...rest.map((more) => `    ${more}`)];
    }),
    ...lanes.map((lane) => `  ${lane}`),
  ];
}

const headings = {
  do: 'What to do',
  avoid: 'What will not help here',
  collect: 'What to record for the next run',
} as const;

function remedies(list: readonly Remedy[], width: number, paint: Paint): string[] {
  return (['do', 'avoid', 'collect'] as const).flatMap((kind) => {
    const chosen = list.filter((entry) => entry.kind === kind);
    if (chosen.length === 0) return [];
    return [
      '',
      paint(1, headings[kind]),
      ...chosen.flatMap((entry) => {
        const [first = '', ...rest] = wrap(`${entry.text} ${entry.because}`, width - 4);
        return [`  - ${first}`, ...rest.map((line) => `    ${line}`)];
      }),
    ];
  });
}

function others(diagnosis: Diagnosis, width: number, paint: Paint): string[] {
  const rest = diagnosis.hypotheses
    .filter((entry) => entry.subcause !== diagnosis.subcause && entry.confidence >= 0.2)
    .slice(0, 3);
  if (rest.length === 0 || diagnosis.outcome === 'healthy') return [];
  const text = rest
    .map((entry) => `${entry.subcause ?? entry.category} (${Math.round(entry.confidence * 100)} %)`)
    .join(', ');
  return ['', ...wrap(`Also possible: ${text}`, width).map((line) => paint(2, line))];
}

const chartHeight = 3;
const gap = 3;

function panels(list: readonly Panel[], onset: number | null, width: number, paint: Paint): string[] {
  const shown = list.filter((panel) => panel.curves.length > 0);
  const columns = width >= 66 ? 3 : width >= 44 ? 2 : 1;
  const cell = Math.floor((width - gap * (columns - 1)) / columns);
  const blocks = shown.map((panel) => block(panel, onset, cell, paint)).filter((entry) => entry !== null);
  const lines: string[] = [];
  for (let start = 0; start < blocks.length; start += columns) {
    if (start > 0) lines.push('');
    const row = blocks.slice(start, start + columns);
    for (let line = 0; line < chartHeight + 2; line++)
      lines.push(
        row
          .map((entry) => entry[line]!)
          .join(' '.repeat(gap))
          .trimEnd(),
      );
  }
  return lines;
}

/** Title, chart and footer of one panel; every line is exactly `width` columns before colours. */
function block(panel: Panel, onset: number | null, width: number, paint: Paint): string[] | null {
  const [curve] = panel.curves;
  const chart = curve ? brailleChart(curve, width, chartHeight, onset) : null;
  if (!chart) return null;
  const last = curve!.values.findLast((value) => !Number.isNaN(value));
  const broken = curve!.values.some((value) => !Number.isFinite(value)) ? ', NaN' : '';
  const title = fit(
    `${panel.title}${panel.unit ? ` (${panel.unit})` : ''}${chart.log ? ', log' : ''}`,
    width,
  );
  const footer = fit(
    `${figure(chart.low)} to ${figure(chart.high)}, last ${figure(last ?? Number.NaN)}${broken}`,
    width,
  );
  const rows = chart.rows.map((row) => (chart.onset === null ? row : mark(row, chart.onset, paint)));
  return [paint(1, title), ...rows, paint(2, footer)];
}

function mark(row: string, column: number, paint: Paint): string {
  const cells = [...row];
  if (cells[column] === ' ') cells[column] = '┊';
  return `${cells.slice(0, column).join('')}${paint(31, cells[column]!)}${cells.slice(column + 1).join('')}`;
}

function fit(text: string, width: number): string {
  return text.length > width ? `${text.slice(0, width - 1)}…` : text.padEnd(width);
}
