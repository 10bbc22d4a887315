// A comparison as text: how both ended, what most likely made the difference, then everything that differs.
import { wrap } from '../diagnose/wrap.js';
import { figure } from '../record/figures.js';
import type { ComparedRun, Difference, Explanation, RunComparison } from './define.js';
import { shown } from './explain.js';

export interface ComparisonReportOptions {
  readonly width?: number;
  readonly color?: boolean;
}

const mostRows = 40;
const widestValue = 28;

export function renderComparison(comparison: RunComparison, options: ComparisonReportOptions = {}): string {
  const { width = 100, color = false } = options;
  const bold = (text: string): string => (color ? `\u001b[1m${text}\u001b[0m` : text);
  const { before, after, differences, not_compared } = comparison;
  const seen = differences.filter(({ lever }) => lever !== null);
  const unseen = differences.filter(({ lever }) => lever === null);
  return [
    `${before.path}`,
    `  ${ended(before)}`,
    `${after.path}`,
    `  ${ended(after)}`,
    '',
    ...wrap(conclusion(comparison), width).map(bold),
    ...(seen.length === 0 ? [] : ['', 'What differs, the likeliest to matter first:', ...table(seen, width)]),
    ...(unseen.length === 0
      ? []
      : ['', ...wrap(`Never an explanation: ${unseen.map(({ name }) => name).join(', ')}.`, width)]),
    ...(not_compared.length === 0 ? [] : ['', ...wrap(`Not compared: ${not_compared.join('; ')}.`, width)]),
  ].join('\n');
}

function ended({ headline, metric, level }: ComparedRun): string {
  return metric === null || level === null ? headline : `${headline}; ${metric} ${figure(level)} at the end`;
}

/** How they ended, and what most likely made the difference, in a few sentences. */
export function conclusion({ endings, explanation, worse, before, after, parting }: RunComparison): string {
  if (endings === 'alike') return 'They ended alike: there is no difference to explain.';
  if (endings === 'shorter') return shorter(before, after, explanation);
  if (endings === 'unclear' && before.subcause !== after.subcause)
    return 'They failed for different reasons: neither can be called worse.';
  if (endings === 'unclear')
    return 'Neither of them failed, and they have no metric in common: Grus cannot say which did worse.';
  const which = worse === before.path ? 'The first' : 'The second';
  const since =
    parting === null ? '' : ` The ${parting.metric} curves part at ${unit[parting.counts]} ${parting.step}.`;
  if (explanation === null) return `${which} did worse.${since} No recorded difference explains it.`;
  const others =
    explanation.rivals.length === 0 ? '' : ` Nearly as likely: ${explanation.rivals.join(', ')}.`;
  return `${which} did worse.${since} Most likely because of ${explanation.text}${others}`;
}

const unit = { steps: 'step', epochs: 'epoch' } as const;

function shorter(before: ComparedRun, after: ComparedRun, explanation: Explanation | null): string {
  const isFirst = before.reached! < after.reached!;
  const [short, long] = isFirst ? [before, after] : [after, before];
  return (
    `The ${isFirst ? 'first' : 'second'} trained less: to ${unit[short.counts!]} ${short.reached} of ${long.reached}. ` +
    `There, the ${isFirst ? 'second' : 'first'} had about the same ${long.metric}. ` +
    (explanation === null
      ? 'No recorded difference says why it is shorter.'
      : `Most likely because of ${explanation.text}`)
  );
}

function table(differences: readonly Difference[], width: number): string[] {
  const shownRows = differences.slice(0, mostRows);
  const rows = shownRows.map(({ name, before, after, change }) => [
    name,
    shown(before),
    shown(after),
    change,
  ]);
  const widths = [0, 1, 2].map((column) =>
    Math.min(widestValue, Math.max(...rows.map((row) => row[column]!.length))),
  );
  const lines = rows.map((row) =>
    `  ${row.map((cell, column) => (column < 3 ? cut(cell, widths[column]!).padEnd(widths[column]!) : cell)).join('  ')}`.slice(
      0,
      width,
    ),
  );
  const left = differences.length - shownRows.length;
  return left > 0 ? [...lines, `  … and ${left} more`] : lines;
}

function cut(text: string, room: number): string {
  return text.length <= room ? text : `${text.slice(0, room - 1)}…`;
}
