// Whether files beside each other are what the ranks or hosts of one job wrote, though no line names a rank: "p0.log" to "p3.log". Runs of
// a sweep lie beside each other as well. What only one job can show: ranks meet in the same place, count themselves, hold the same numbers
// after each step, or step in time with each other.
import { median } from '../../features/robust.js';
import { type MetricName, scores } from '../../record/metrics.js';
import { isWhole } from '../../record/phase-names.js';
import type { FileRecord } from './file-record.js';

/** What is compared of a file, or of the files that share a name. */
export interface Part {
  readonly lines: readonly string[];
  readonly curves: readonly Curve[];
}

export interface Points {
  readonly length: number;
  readonly steps: ArrayLike<number>;
  readonly values: ArrayLike<number>;
  readonly times: ArrayLike<number>;
}

export interface Curve extends Points {
  readonly name: string;
  readonly metric: MetricName;
}

const fewestEqual = 4;
const fewestDistinct = 3;

/** What training makes of the data, and what another seed makes otherwise. What is set or counted is the same in all runs of a sweep. */
const learned: ReadonlySet<MetricName> = new Set([
  'loss',
  ...scores,
  'grad_norm',
  'param_norm',
  'entropy',
  'kl',
  'reward',
]);

export function areOneJob(parts: readonly Part[]): boolean {
  if (parts.length < 2) return false;
  return (
    countsItself(parts) ||
    indexesOf(parts) !== null ||
    shareIntroductions(parts) ||
    meetInOnePlace(parts) ||
    (areAtOnce(parts) && areInStep(parts))
  );
}

const index =
  /\b(?:node|machine|host|group|process|proc|task|worker|replica|slurm_(?:node|proc))[ _]?(?:rank|id|index|idx)\b["']?[\s:=]{1,3}(\d{1,5})\b/i;

/** The place that each part says it has among the processes or hosts of its job, where none is left out: runs of their own do not count each other. */
export function indexesOf(parts: readonly Part[]): readonly number[] | null {
  const told = parts.map(({ lines }) => {
    const found = new Set(lines.slice(0, 60).flatMap((line) => index.exec(line.slice(0, 300))?.[1] ?? []));
    return found.size === 1 ? Number([...found][0]) : null;
  });
  return wholeOf(told);
}

/** The places of several, where each has one and none is left out. */
export function wholeOf(places: readonly (number | null)[]): readonly number[] | null {
  const told = places.filter((at) => at !== null && at < places.length) as number[];
  return places.length > 1 && new Set(told).size === places.length ? told : null;
}

const introduced =
  /\b(?:(?:global|world)[ _]?)?(?:rank|proc(?:ess)?|worker|replica|trainer|stage|actor|learner|member|peer|task|node|host|machine)(?:[ _](?:rank|id|index))?[ :=#]{1,2}(\d{1,5})\b(?: of |\/|[, ]{1,2}(?:n?world(?:[ _]?size)?|n_?ranks|(?:num_?)?(?:process|worker|node)(?:es|s|_count))[ :=]{1,2})(\d{1,5})\b/i;

interface Introduction {
  readonly rank: number;
  readonly size: number;
}

/** The rank and the number of ranks that a process says it has. */
export function introductionIn(text: string): Introduction | null {
  const [, rank, size] = introduced.exec(text.slice(0, 300)) ?? [];
  return rank === undefined || Number(rank) >= Number(size)
    ? null
    : { rank: Number(rank), size: Number(size) };
}

/** The same of the first lines of a file; null where it tells of several. */
export function introducedAs(lines: readonly string[]): Introduction | null {
  const [one, ...more] = lines.slice(0, 60).flatMap((line) => introductionIn(line) ?? []);
  return one !== undefined && more.every(({ rank }) => rank === one.rank) ? one : null;
}

/** Each part introduces other ranks of the same number of ranks. */
export function shareIntroductions(parts: readonly Pick<Part, 'lines'>[]): boolean {
  const told = parts.map(({ lines }) => lines.slice(0, 60).flatMap((line) => introductionIn(line) ?? []));
  const ranks = told.flatMap((here) => [...new Set(here.map(({ rank }) => rank))]);
  const sizes = new Set(told.flat().map(({ size }) => size));
  return (
    parts.length > 1 &&
    told.every((here) => here.length > 0) &&
    sizes.size === 1 &&
    new Set(ranks).size === ranks.length
  );
}

/** The same numbers, or the same moments. */
function areInStep(parts: readonly Part[]): boolean {
  const [first, ...others] = parts as [Part, ...Part[]];
  return first.curves.some((curve) => {
    const twins = others.flatMap(({ curves }) => curves.find(({ name }) => name === curve.name) ?? []);
    if (twins.length < others.length) return false;
    return (
      (learned.has(curve.metric) && holdTheSame(curve, twins)) ||
      stepTogether(curve, twins) ||
      (isWhole(curve.name) && lastAlike(curve, twins))
    );
  });
}

/** The files of a name whose only number counts from 0 or 1 on and leaves none out: as many as they are. */
export function shiftOfCounted(numbers: ReadonlySet<number>): number | null {
  const first = Math.min(...numbers);
  return numbers.size > 1 && first <= 1 && Math.max(...numbers) - first === numbers.size - 1 ? -first : null;
}

export function partOf(file: FileRecord, lines: readonly string[]): Part {
  const named = [...file.series.values()].map((curve) => ({
    points: curve,
    name: curve.key.rawName,
    metric: curve.key.identity.metric,
  }));
  return { lines, curves: curvesOf(named) };
}

const [headKept, tailKept, curvesKept] = [64, 16, 6];

/** Little of each, because there may be thousands of files: what was learned first. */
export function curvesOf(
  all: readonly { readonly points: Points; readonly name: string; readonly metric: MetricName }[],
): Curve[] {
  const telling = all.filter(({ points }) => points.length > 0);
  const [first, others] = [true, false].map((wanted) =>
    telling.filter(({ metric }) => learned.has(metric) === wanted),
  ) as [typeof telling, typeof telling];
  return [...first, ...others]
    .slice(0, curvesKept)
    .map(({ points, name, metric }) => ({ name, metric, ...endsOf(points) }));
}

/** The first points and the last ones. */
export function endsOf({ length, steps, values, times }: Points): Points {
  const some = (of: ArrayLike<number>): number[] => {
    const kept = Array.from({ length: Math.min(length, headKept + tailKept) }, (_, at) => at);
    return kept.map((at) => of[at < headKept ? at : length - kept.length + at]!);
  };
  return {
    length: Math.min(length, headKept + tailKept),
    steps: some(steps),
    values: some(values),
    times: some(times),
  };
}

const joined = /\b\d+\/(\d+) (?:clients|workers|ranks|processes|nodes|hosts) (?:have )?joined/i;

/** "7/8 clients joined" beside eight files. Where all say it, each of them may be a job. */
function countsItself(parts: readonly Part[]): boolean {
  const counting = parts.filter(({ lines }) =>
    lines.some((line) => Number(joined.exec(line.slice(0, 400))?.[1] ?? 0) === parts.length),
  );
  return counting.length > 0 && counting.length < parts.length;
}

const meeting =
  /\b(?:distributed|coordinat\w*|master\w*|rendezvous|rdzv\w*|store|init_process_group|leader|init_method)\b[^\n]{0,80}?(?:\/\/|[\s=:'"(])((?:[\w-]+\.)*[\w-]+:\d{2,5})\b/i;

/** All of them begin at the same address, which they call a place to meet. */
export function meetInOnePlace(parts: readonly Part[]): boolean {
  const places = new Set(
    parts.map(({ lines }) => {
      for (const line of lines.slice(0, 60)) {
        const place = meeting.exec(line.slice(0, 300))?.[1];
        if (place !== undefined) return place;
      }
      return null;
    }),
  );
  const [place] = places;
  return places.size === 1 && place != null && !ofOneMachine.test(place) && areAtOnce(parts);
}

/** One run after the other meets its own ranks there. */
const ofOneMachine = /^(?:localhost|127\.|0\.0\.0\.0)/;

/** From the first moment of a part to its last, as far as its curves tell. */
export function spanOf({
  curves,
}: Pick<Part, 'curves'>): { readonly from: number; readonly to: number } | null {
  const times = curves
    .flatMap(({ times, length }) => [times[0]!, times[length - 1]!])
    .filter(Number.isFinite);
  return times.length === 0 ? null : { from: Math.min(...times), to: Math.max(...times) };
}

/** No part begins when another one is over: runs one after the other do. */
export function areAtOnce(parts: readonly Pick<Part, 'curves'>[]): boolean {
  const spans = parts.flatMap((part) => spanOf(part) ?? []);
  return (
    Math.max(...spans.map(({ from }) => from)) <= Math.min(...spans.map(({ to }) => to)) || spans.length < 2
  );
}

/**
 * Runs with another seed or setting soon print another number. One of several replicas may part from the others later on; that most of them
 * never do shows that they are replicas.
 */
function holdTheSame(first: Points, others: readonly Points[]): boolean {
  const known = new Map<number, number>();
  for (let at = 0; at < first.length; at++) known.set(first.steps[at]!, first.values[at]!);
  const agreeing = others.map((curve) => {
    const distinct = new Set<number>();
    let equal = 0;
    let isParted = false;
    for (let at = 0; at < curve.length && !isParted; at++) {
      const value = known.get(curve.steps[at]!);
      if (value === undefined) continue;
      if (value !== curve.values[at] && !(Number.isNaN(value) && Number.isNaN(curve.values[at])))
        isParted = true;
      else {
        distinct.add(value);
        equal++;
      }
    }
    return { isTwin: equal >= fewestEqual && distinct.size >= fewestDistinct, isParted };
  });
  const parted = agreeing.filter(({ isParted }) => isParted).length;
  return agreeing.every(({ isTwin }) => isTwin) && parted * 2 < agreeing.length;
}

/** All that count steps came equally far, give or take two of those that they print: each was stopped by the end of another. */
export function stoppedTogether(parts: readonly Pick<Part, 'curves'>[]): boolean {
  const counting = parts.flatMap(({ curves: [curve] }) => (curve ? [curve] : []));
  const last = counting.map(({ steps, length }) => steps[length - 1]!);
  const each = counting.map(({ steps, length }) =>
    length > 1 ? steps[length - 1]! - steps[length - 2]! : 1,
  );
  return last.length > 0 && Math.max(...last) - Math.min(...last) <= 2 * Math.max(1, ...each);
}

const fewestMoments = 24;
/** In milliseconds. */
const [leastLag, mostLag] = [2, 500];
/** How many times longer than such a lag they must have gone on together. */
const longEnough = 500;

/**
 * Ranks wait for each other in every step: however long they run, none is ahead. Runs of their own that were started in the same moment
 * drift apart.
 */
function stepTogether(first: Points, others: readonly Points[]): boolean {
  const moments = new Map<number, number>();
  for (let at = 0; at < first.length; at++)
    if (Number.isFinite(first.times[at]!)) moments.set(first.steps[at]!, first.times[at]!);
  const ordered = [...moments.values()];
  if (moments.size < fewestMoments) return false;
  const gaps = ordered.slice(1).map((time, at) => time - ordered[at]!);
  const isInSeconds = ordered.every((time) => time % 1000 === 0);
  const allowed = Math.max(isInSeconds ? 1000 : leastLag, Math.min(median(gaps) / 4, mostLag));
  if (ordered.at(-1)! - ordered[0]! < longEnough * allowed) return false;
  return others.every((curve) => {
    const lags: number[] = [];
    for (let at = 0; at < curve.length; at++) {
      const time = moments.get(curve.steps[at]!);
      if (time !== undefined && Number.isFinite(curve.times[at]!))
        lags.push(Math.abs(curve.times[at]! - time));
    }
    const near = lags.filter((lag) => lag <= allowed).length;
    return lags.length >= fewestMoments && near >= 0.8 * lags.length && median(lags.slice(-8)) <= allowed;
  });
}

/** In how many of the steps the times must go up or down together: by chance they do in half of them. */
const shareAlike = 0.75;

/** A step that lasts longer than the one before for one rank does for all of them. The first steps are long in runs of their own as well. */
function lastAlike(first: Points, others: readonly Points[]): boolean {
  const known = new Map<number, number>();
  for (let at = Math.ceil(first.length / 10); at < first.length; at++)
    known.set(first.steps[at]!, first.values[at]! - first.values[at - 1]!);
  return others.every((curve) => {
    const alike: boolean[] = [];
    for (let at = 1; at < curve.length; at++) {
      const change = known.get(curve.steps[at]!);
      if (change !== undefined) alike.push(change * (curve.values[at]! - curve.values[at - 1]!) > 0);
    }
    return alike.length >= fewestMoments && alike.filter(Boolean).length >= shareAlike * alike.length;
  });
}
