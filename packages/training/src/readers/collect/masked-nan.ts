// The Hugging Face Trainer writes a loss of exactly 0.0 for a window whose losses were all NaN. Beside a NaN
// gradient norm or evaluation, or right after the loss exploded, that zero is NaN, and the record says NaN; alone it is only suspected.
import { allSeries } from '../../record/query.js';
import type { Note, RunRecord } from '../../record/run-record.js';
import type { Series } from '../../record/series.js';
import { type MergedSeries, mergedSeries } from './merged-series.js';

type Curves = Pick<RunRecord, 'series'>;

export function unmaskNan(curves: readonly MergedSeries[]): { series: MergedSeries[]; notes: Note[] } {
  const notes: Note[] = [];
  const record = { series: curves } as unknown as RunRecord satisfies Curves;
  const series = curves.map((curve) => {
    if (curve.metric !== 'loss' || curve.split !== 'train') return curve;
    const zeros: number[] = [];
    for (let at = 0; at < curve.length; at++) if (curve.values[at] === 0) zeros.push(at);
    if (zeros.length === 0) return curve;
    const normNan = nanSteps(allSeries(record, 'grad_norm'));
    const evalNan = nanSteps(allSeries(record, 'loss', { split: 'eval' }));
    const firstEvalNan = Math.min(...evalNan, Number.POSITIVE_INFINITY);
    const masked = new Set(
      zeros.filter((at) => {
        const step = curve.steps[at]!;
        return (
          normNan.has(step) ||
          (curve.reader !== 'tensorboard' || curve.hasSteps ? step >= firstEvalNan : false)
        );
      }),
    );
    // The window that ends before the first NaN evaluation has no gradient norm in old versions: zeros that lead up to it count.
    if (masked.size === 0 && evalNan.size > 0) {
      for (const at of zeros) {
        const next =
          zeros.includes(at + 1) || at === curve.length - 1 || curve.steps[at + 1]! >= firstEvalNan;
        if (next && curve.steps[at]! <= firstEvalNan) masked.add(at);
      }
    }
    const broken = masked.size > 0;
    const atEnd = zeros.length >= 2 && zeros[0]! > 0 && zeros.at(-1) === curve.length - 1;
    if (masked.size === 0 && atEnd && explodedBefore(curve, zeros[0]!) && !answersAll(record))
      for (const at of zeros) masked.add(at);
    // What led up to a zero that is none is none either.
    for (let at = Math.min(...masked) - 1; curve.values[at] === 0; at--) masked.add(at);
    const first = masked.size > 0 ? Math.min(...masked) : zeros[0]!;
    if (masked.size > 0) {
      notes.push({
        kind: 'masked_nan',
        text: `${curve.rawName} is logged as exactly 0 at ${masked.size} step${masked.size === 1 ? '' : 's'} from step ${curve.steps[first]} on ${broken ? 'while the gradient norm or the evaluation is NaN' : 'after it had exploded'}: the zero stands for NaN`,
        at: curve.where(first),
      });
      return mergedSeries(curve.segments, { masked });
    }
    if (atEnd) {
      notes.push({
        kind: 'suspected_masked_nan',
        text: `${curve.rawName} is exactly 0 from step ${curve.steps[first]} on after non-zero values: it may stand for NaN`,
        at: curve.where(first),
      });
    }
    return curve;
  });
  return { series, notes };
}

/** From several times its least value, and a good part of its first, no loss falls to exactly nothing. */
function explodedBefore(curve: MergedSeries, zero: number): boolean {
  const values = Array.from(curve.values.slice(0, zero)).filter((value) => value > 0);
  const least = Math.min(...values);
  const last = values.at(-1)!;
  return (
    values.length >= 3 &&
    Math.max(...values.slice(-3)) > 3 * least &&
    last > Math.max(2 * least, 0.1 * values[0]!)
  );
}

/** Training that answers everything rightly loses nothing: its zero is a zero. */
function answersAll(record: RunRecord): boolean {
  return allSeries(record, 'accuracy', { split: 'train' }).some(
    ({ values, length }) => length > 0 && values[length - 1]! >= 0.999,
  );
}

function nanSteps(series: readonly Series[]): Set<number> {
  const steps = new Set<number>();
  for (const curve of series) {
    for (let at = 0; at < curve.length; at++)
      if (!Number.isFinite(curve.values[at]!)) steps.add(curve.steps[at]!);
  }
  return steps;
}
