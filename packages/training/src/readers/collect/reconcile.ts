// Several files tell the same curve: event files, a state file and the console. The one that keeps NaN and full
// precision is believed, and what others saw after its last step (a crash between checkpoints) is added.
import type { FileRecord } from './file-record.js';
import { type MergedSeries, mergedSeries, type Segment } from './merged-series.js';
import type { SeriesBuilder } from './series-builder.js';

/** A name seen fewer times than this in free text is no curve; a loss is one from the first value on. */
const fewestUnknown = 3;
const fewestKnown = 2;
/** Curves of one name that are compared with each other; a folder of many logs may hold more, and each comparison costs. */
const mostCompared = 100;
const telling: ReadonlySet<string> = new Set(['loss', 'accuracy', 'perplexity', 'grad_norm', 'loss_scale']);
/** What a run says once of its data, and, of what it held out, when all is over. */
const saidOnce = 'majority_share';
const scoredOnce: ReadonlySet<string> = new Set(['f1', 'auc', 'explained_variance']);

export function mergeSeries(
  files: readonly FileRecord[],
  fidelity: (reader: string) => number,
  rankIn: (file: string, rank: number | null) => number | null,
): MergedSeries[] {
  const groups = new Map<string, Segment[][]>();
  for (const file of files) {
    for (const builder of file.series.values()) {
      const { identity, rawName } = builder.key;
      const rank = rankIn(file.file, builder.key.rank);
      if (builder.length === 0) continue;
      if (file.reader === 'console' && !telling.has(identity.metric) && identity.metric !== saidOnce) {
        const unknown = identity.metric === 'other' && !standsInRows(file, builder);
        const isScore = scoredOnce.has(identity.metric) && identity.split !== 'train';
        if (builder.seen < (unknown ? fewestUnknown : isScore ? 1 : fewestKnown)) continue;
      }
      const name = identity.metric === 'other' ? rawName : '';
      const key = [identity.metric, identity.split, identity.subject ?? '', rank ?? '', name].join('\u0000');
      const segment: Segment = { file, builder, rank, from: 0, to: builder.length };
      const curves = groups.get(key);
      if (curves === undefined) groups.set(key, [[segment]]);
      else {
        const before = curves.slice(-mostCompared).find((curve) => continues(curve.at(-1)!, segment));
        if (before === undefined) curves.push([segment]);
        else before.push(segment);
      }
    }
  }
  return [...groups.values()].flatMap((curves) => reconcile(curves, fidelity));
}

/** Each time it was seen, a loss or a score stood in the same line: it is a column of their rows. */
function standsInRows(file: FileRecord, { places, length }: SeriesBuilder): boolean {
  if (length >= fewestUnknown) return false;
  const own = [...places.subarray(0, length)];
  return [...file.series.values()].some(
    ({ key, places: others, length: count }) =>
      telling.has(key.identity.metric) && own.every((place) => others.subarray(0, count).includes(place)),
  );
}

/** The same tool went on in another file. */
function continues(previous: Segment, next: Segment): boolean {
  if (previous.file.reader !== next.file.reader || previous.file === next.file) return false;
  if (previous.builder.key.rawName !== next.builder.key.rawName) return false;
  const lastTime = previous.builder.times[previous.to - 1]!;
  const nextTime = next.builder.times[next.from]!;
  if (Number.isFinite(lastTime) && Number.isFinite(nextTime)) return nextTime >= lastTime;
  return next.builder.steps[next.from]! > previous.builder.steps[previous.to - 1]!;
}

function reconcile(curves: Segment[][], fidelity: (reader: string) => number): MergedSeries[] {
  if (curves.length === 1) return [mergedSeries(curves[0]!)];
  const ordered = [...curves].sort(
    (a, b) =>
      Number(b[0]!.builder.hasSteps) - Number(a[0]!.builder.hasSteps) ||
      fidelity(b[0]!.file.reader) - fidelity(a[0]!.file.reader),
  );
  const kept: Segment[][] = [];
  for (const curve of ordered.slice(0, mostCompared)) {
    if (kept.some((other) => sameValues(other, curve))) continue;
    const twin = kept.find((other) => other[0]!.file.reader !== curve[0]!.file.reader && agree(other, curve));
    if (twin === undefined) kept.push([...curve]);
    else twin.push(...after(curve, lastStepOf(twin)));
  }
  return kept.map((curve) => mergedSeries(curve));
}

function lastStepOf(curve: readonly Segment[]): number {
  let last = Number.NEGATIVE_INFINITY;
  for (const { builder, from, to } of curve) {
    for (let at = from; at < to; at++) last = Math.max(last, builder.steps[at]!);
  }
  return last;
}

/** The stretch of a curve from its first point past a step. */
function after(curve: readonly Segment[], step: number): Segment[] {
  const stretches: Segment[] = [];
  for (const { file, builder, rank, from, to } of curve) {
    let start = from;
    while (start < to && builder.steps[start]! <= step) start++;
    if (start < to) stretches.push({ file, builder, rank, from: start, to });
  }
  return stretches;
}

/** The same values in the same order under other steps: one tool counts epochs from 0, another from 1. */
function sameValues(a: readonly Segment[], b: readonly Segment[]): boolean {
  const [first, second] = [mergedSeries(a), mergedSeries(b)];
  if (first.reader === second.reader || first.length !== second.length || first.length < 3) return false;
  return first.values.every((value, at) => close(value, second.values[at]!));
}

/** Same values at the steps both have, up to rounding for print; or the second goes on where the first ends. */
function agree(a: readonly Segment[], b: readonly Segment[]): boolean {
  const values = new Map<number, number>();
  for (const { builder, from, to } of a) {
    for (let at = from; at < to; at++) values.set(builder.steps[at]!, builder.values[at]!);
  }
  let common = 0;
  let different = 0;
  for (const { builder, from, to } of b) {
    for (let at = from; at < to; at++) {
      const value = values.get(builder.steps[at]!);
      if (value === undefined) continue;
      common++;
      if (!close(value, builder.values[at]!)) different++;
    }
  }
  if (common === 0) return b[0]!.builder.steps[b[0]!.from]! > lastStepOf(a);
  return different <= common * 0.1;
}

function close(a: number, b: number): boolean {
  if (!Number.isFinite(a) || !Number.isFinite(b)) return true;
  return Math.abs(a - b) <= 5e-4 + 5e-3 * Math.max(Math.abs(a), Math.abs(b));
}
