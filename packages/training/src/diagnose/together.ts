// Whether the parts of a folder are what the hosts or ranks of one job wrote, or runs of their own. Runs beside each other all begin at rank
// 0; the parts of a job share its ranks among them, or show in another way that they ran together. What lies beside them, a console or a
// table, is of the job when it tells of the same time or the same numbers.
import { viewOf } from '../features/view.js';
import { isConsequence } from '../ranks/lost/consequence.js';
import { speakingIn } from '../ranks/present/presence.js';
import { goesOn, takesUp, turnsOf } from '../readers/collect/last-attempt.js';
import { hasWord, isNamedBy, numberOf } from '../readers/collect/names.js';
import {
  areAtOnce,
  areOneJob,
  curvesOf,
  endsOf,
  indexesOf,
  meetInOnePlace,
  type Part,
  type Points,
  shareIntroductions,
  shiftOfCounted,
  spanOf,
  stoppedTogether,
} from '../readers/collect/one-job.js';
import { isHost } from '../readers/collect/places.js';
import { type FoundRun, type FoundRuns, type ReadRunOptions, readFiles } from '../readers/index.js';
import { scores } from '../record/metrics.js';
import type { RunRecord } from '../record/run-record.js';

/** What is kept of one part of a folder to tell whose words it holds: little, because there may be thousands. */
interface Told extends Part {
  readonly paths: readonly string[];
  readonly speaking: ReadonlySet<number>;
  readonly namesRanks: boolean;
  /** Its ranks are counted on its host. */
  readonly countsOnHost: boolean;
  readonly losses: readonly (Points & { readonly rank: number | null })[];
  /** Its last lines: an attempt says at its end what it kept. */
  readonly lastLines: readonly string[];
  readonly hasError: boolean;
  /** It tells of nothing but that others did not come or went away. */
  readonly lostOthers: boolean;
  readonly isCompleted: boolean;
  /** Ranks that a launcher saw end. */
  readonly ended: readonly number[];
}

const [linesKept, lossesKept] = [60, 8];

function toldBy({ files }: FoundRun, record: RunRecord): Told {
  const speaking = speakingIn(record);
  const losses = record.series.filter(({ metric, length }) => metric === 'loss' && length > 0);
  const raised = record.tracebacks.map(({ chain }) => chain[0]!);
  return {
    paths: files.map(({ path }) => path),
    speaking,
    countsOnHost: record.hardware.countsOnHost ?? false,
    namesRanks: speaking.size > 0 || record.exits.some(({ rank }) => rank !== null),
    losses: losses.slice(0, lossesKept).map((series) => ({ ...endsOf(series), rank: series.rank })),
    curves: curvesOf(
      record.series.map((series) => ({ points: series, name: series.rawName, metric: series.metric })),
    ),
    lines: record.text.lines.slice(0, linesKept).map(({ text }) => text.slice(0, 400)),
    lastLines: record.text.lines.slice(-linesKept).map(({ text }) => text.slice(0, 400)),
    hasError: raised.length > 0,
    lostOthers: raised.length > 0 && raised.every(isConsequence),
    isCompleted: viewOf(record).ending.kind === 'completed',
    ended: record.exits.flatMap(({ rank }) => rank ?? []),
  };
}

export async function isOneJob(found: FoundRuns, options: ReadRunOptions): Promise<boolean> {
  const hosts = new Set<string>();
  const parts: Told[] = [];
  const inRuns = new Set(found.runs.flatMap(({ files }) => files));
  const beside = found.whole.files.filter((file) => !inRuns.has(file));
  for (const run of [...found.runs, ...(beside.length > 0 ? [{ path: found.path, files: beside }] : [])]) {
    options.signal?.throwIfAborted();
    const record = await readFiles(run, options).catch(() => null);
    if (record === null) continue;
    for (const { host } of record.seats) if (host !== null) hosts.add(host);
    // What lies in a folder beside them is of all of them, and so are the stacks that a tool took of their processes.
    if (run.files === beside || holdsStacksAlone(record)) continue;
    parts.push(toldBy(run, record));
  }
  if (tellTheSame(parts.filter(({ curves }) => curves.length > 0))) return true;
  const telling = parts.filter(({ namesRanks }) => namesRanks);
  const nameless = parts.filter(({ namesRanks }) => !namesRanks);
  if (!areHosts(telling) && !shareRanks(telling)) return false;
  const isCounted = numberedLike(telling, nameless);
  // None got further than waiting for the others.
  const unbegun = nameless.filter((part) => part.hasError && part.curves.length === 0);
  const haveWaited = unbegun.length > 1 && unbegun.every((part) => part.lostOthers);
  const onHosts = ofHosts(parts);
  const isOfJob = (part: Told): boolean =>
    (haveWaited && unbegun.includes(part)) ||
    onHosts.includes(part) ||
    isCounted(part) ||
    parts.some((other) => wentOnIn(other, part) || wentOnIn(part, other)) ||
    part.paths.some((path) => [...hosts].some((host) => isNamedBy(path, host)));
  const job = [...telling, ...nameless.filter(isOfJob)];
  // What tells of no rank and no host of the job tells of no curve of its own and, beside a single part, of no error either: a list of pods,
  // a table, the console of all of them.
  const others = nameless.filter((part) => (part.losses.length > 0 || part.hasError) && !isOfJob(part));
  // A job that is shown by others has a console that may tell one number: that is no curve of its own.
  const isOwnCurve = ({ losses }: Told): boolean =>
    losses.some(({ length }) => length >= (job.length > 1 ? fewestNear : 1));
  if (others.some((part) => isOwnCurve(part) && !(job.length > 1 && isOfThem(part, job)))) return false;
  return job.length > 1 || (job.length === 1 && others.length === 0);
}

/**
 * Logs of several hosts, each named by the one that its lines name, where one of them only lost others: whom it lost is in another. Runs of
 * their own lose nobody outside of their log.
 */
function ofHosts(parts: readonly Told[]): readonly Told[] {
  const named = parts.filter(({ paths, lines }) =>
    paths.every((path) => {
      const host = path.replace(/^.*\//, '').replace(/(?:\.[a-z]{1,6})+$/i, '');
      const own = lines.filter((line) => hasWord(line, host)).length;
      return isHost(host) ? own > 0 : own >= fewestNamed && own > lines.filter(isOwnLine).length / 2;
    }),
  );
  const isLost = named.some(({ lostOthers }) => lostOthers) && named.some(({ lostOthers }) => !lostOthers);
  return named.length > 1 && isLost && areAtOnce(named) ? named : [];
}

/** Any word is the name of a host that stands in most lines of its log. Stacks are set in. */
const fewestNamed = 4;
const isOwnLine = (line: string): boolean => !/^\s|^$/.test(line);

/** Each has the workers of a host, counted from 0, and what they say shows that they ran together: one of them lost the others. */
function areHosts(parts: readonly Told[]): boolean {
  const words = (part: Told): string => [...part.speaking].sort((a, b) => a - b).join(' ');
  return (
    parts.length > 1 &&
    parts.every((part) => part.countsOnHost && words(part) === words(parts[0]!)) &&
    areAtOnce(parts) &&
    (parts.some(({ lostOthers }) => lostOthers) || areOneJob(parts))
  );
}

/**
 * No two parts hold the words of one rank, unless one went on where the other ended, or unless there are two kinds of files: one that the
 * ranks or hosts share among them, and another that tells of the same time.
 */
function shareRanks(parts: readonly Told[]): boolean {
  const kinds = new Map<string, Told[]>();
  for (const part of parts) {
    const kind = kindOf(part.paths[0]!);
    kinds.set(kind, [...(kinds.get(kind) ?? []), part]);
  }
  const members = (part: Told): readonly Told[] => kinds.get(kindOf(part.paths[0]!))!;
  return parts.every((part, at) =>
    parts.slice(0, at).every((other) => {
      if (![...part.speaking].some((rank) => other.speaking.has(rank))) return true;
      if (wentOnIn(other, part) || wentOnIn(part, other)) return true;
      const isOther = members(part) !== members(other);
      return (
        isOther && [members(part), members(other)].some((kind) => kind.length > 1) && isOfThem(part, [other])
      );
    }),
  );
}

/** What kind of file it is, of those that a job writes beside each other: rows of numbers are none of the console's. */
function kindOf(path: string): string {
  return /\.(?:jsonl|ndjson|csv|tsv|json)(?:\.\w+)?$/i.exec(path)?.[0] ?? 'console';
}

/** At the same time as one of them; where no time is told, with nearly its loss in the same steps, or with no numbers at all. */
function isOfThem(part: Told, job: readonly Told[]): boolean {
  if ([part, ...job].some(({ curves }) => curves.length === 0)) return true;
  const timed = job.filter((other) => spanOf(other) !== null);
  if (spanOf(part) !== null && timed.length > 0) return timed.some((other) => areAtOnce([part, other]));
  return job.some((other) => part.losses.some((loss) => other.losses.some((curve) => isNear(loss, curve))));
}

/** Each is a console or a table beside one of the other kind that has its numbers, as far as they are printed: one run wrote both. */
function tellTheSame(parts: readonly Told[]): boolean {
  const areSame = (one: Told, other: Told): boolean =>
    kindOf(one.paths[0]!) !== kindOf(other.paths[0]!) &&
    one.curves.some(
      (curve) =>
        isLearned(curve) &&
        other.curves.some(
          (told) =>
            isLearned(told) &&
            // One may count from 0 and the other from 1.
            [0, 1, -1].some((shift) => isNear(told, curve, { fewest: fewestAlike, most: asPrinted, shift })),
        ),
    );
  return parts.length > 1 && parts.every((part) => parts.some((other) => areSame(part, other)));
}

/** Of a run alone: two runs may have one schedule, and stand on one level. */
function isLearned({ metric, values }: Told['curves'][number]): boolean {
  const finite = Array.from(values).filter(Number.isFinite);
  const [least, most] = [Math.min(...finite), Math.max(...finite)];
  return (
    (metric === 'loss' || scores.has(metric)) &&
    new Set(finite).size >= fewestAlike &&
    most - least > 0.1 * Math.abs(most)
  );
}

/** So many values that differ, and how far rounding moves them. */
const [fewestAlike, asPrinted] = [6, 0.003];

const fewestNear = 3;

function isNear(one: Points, other: Points, { fewest = fewestNear, most = 0.2, shift = 0 } = {}): boolean {
  const known = new Map(
    Array.from({ length: one.length }, (_, at) => [one.steps[at]!, one.values[at]!] as const),
  );
  const apart: number[] = [];
  for (let at = 0; at < other.length; at++) {
    const value = known.get(other.steps[at]! + shift);
    if (value !== undefined) apart.push(Math.abs(value - other.values[at]!) / Math.abs(value));
  }
  return apart.length >= fewest && apart.every((share) => share < most);
}

/** Whether the earlier part is an attempt that the later one went on from. */
function wentOnIn(earlier: Told, later: Told): boolean {
  const turns = later.paths.flatMap(turnsOf);
  const isNext = earlier.paths
    .flatMap(turnsOf)
    .some((one) => turns.some(({ family, number }) => family === one.family && number > one.number));
  if (!isNext) return false;
  return (
    takesUp(earlier.lastLines, later.lines) ||
    earlier.losses.some((curve) =>
      later.losses.some((next) => next.rank === curve.rank && goesOn(curve, next, later.lines)),
    )
  );
}

/**
 * Parts that name no rank are of the job when they are numbered like parts that do, when they are numbered by its ranks and leave none out,
 * or when what they say shows that they ran together.
 */
function numberedLike(telling: readonly Told[], nameless: readonly Told[]): (part: Told) => boolean {
  const families = new Map<string, { readonly number: number; readonly part: Told }[]>();
  for (const part of [...telling, ...nameless]) {
    const found = numberOfAll(part.paths);
    if (found)
      families.set(found.family, [...(families.get(found.family) ?? []), { number: found.number, part }]);
  }
  const ranks = new Set(telling.flatMap(({ speaking, ended }) => [...speaking, ...ended]));
  const ofJob = new Set<Told>();
  for (const members of families.values()) {
    const numbers = new Set(members.map(({ number }) => number));
    const shifts = members.flatMap(({ number, part: { speaking } }) =>
      speaking.size === 0 ? [] : speaking.size === 1 ? [...speaking][0]! - number : Number.NaN,
    );
    const isLike = shifts.length > 1 && shifts.every((shift) => shift === shifts[0]);
    const isOnePerRank =
      ranks.size > 1 && numbers.size === ranks.size && [...numbers].every((at) => ranks.has(at));
    const isOne =
      areOneJob(members.map(({ part }) => part)) ||
      lostOneAnother(
        numbers,
        members.map(({ part }) => part),
      );
    if (isLike || (shifts.length === 0 && isOnePerRank) || isOne)
      for (const { part } of members) ofJob.add(part);
  }
  if (indexesOf(nameless) !== null || shareIntroductions(nameless))
    for (const part of nameless) ofJob.add(part);
  // Under other names too, where they lie in one folder and tell when or where they met: a run has a folder of its own.
  const beside = (part: Told): string => `${part.paths[0]!.replace(/[^/]*$/, '')} ${kindOf(part.paths[0]!)}`;
  for (const place of new Set(nameless.map(beside))) {
    const members = nameless.filter((part) => beside(part) === place && part.curves.length > 0);
    const tellWhen = members.every((part) => spanOf(part) !== null);
    // Who lost a peer has one: another that holds the same numbers.
    const isLost = members.some(({ lostOthers }) => lostOthers);
    if (members.length > 1 && (tellWhen || isLost ? areOneJob(members) : meetInOnePlace(members)))
      for (const part of members) ofJob.add(part);
  }
  return (part) => ofJob.has(part);
}

/**
 * Parts that are counted without a gap, of which some only lost others, none came to its end and all stopped at the same step.
 */
function lostOneAnother(numbers: ReadonlySet<number>, parts: readonly Told[]): boolean {
  return (
    shiftOfCounted(numbers) !== null &&
    parts.some(({ lostOthers }) => lostOthers) &&
    parts.every(({ isCompleted }) => !isCompleted) &&
    stoppedTogether(parts) &&
    areAtOnce(parts)
  );
}

/** The number that all files of a part carry: "out_3.txt" and "err_3.txt". */
function numberOfAll(paths: readonly string[]): { readonly family: string; readonly number: number } | null {
  const found = paths.map(numberOf);
  const number = found[0]?.number;
  if (number === undefined || found.some((one) => one?.number !== number)) return null;
  return { family: found.map((one) => one!.family).join(' '), number };
}

function holdsStacksAlone({ stacks, series, tracebacks, device }: RunRecord): boolean {
  return stacks.length > 0 && series.length === 0 && tracebacks.length === 0 && device.length === 0;
}
