// A folder or notebook that holds several runs: each is read, judged and forgotten, so that thousands of them need no more memory than one.
import { speakingIn } from '../ranks/presence.js';
import { goesOn } from '../readers/collect/last-attempt.js';
import {
  areOneJob,
  meetInOnePlace,
  numberOf,
  type Part,
  type Points,
  shiftOfCounted,
} from '../readers/collect/one-job.js';
import { isNamedBy } from '../readers/collect/seating.js';
import { type FoundRun, type FoundRuns, type ReadRunOptions, readFiles } from '../readers/index.js';
import type { RunRecord } from '../record/run-record.js';
import type { Diagnosis } from '../rules/diagnosis.js';

export interface JudgedRun {
  readonly run: FoundRun;
  readonly diagnosis: Diagnosis;
}

type SeveralOptions = ReadRunOptions & { readonly onRun?: (done: number, of: number) => void };

/**
 * The verdict of each run, or null when fewer than two of the parts turn out to be runs: then the whole is one.
 * `judge` is asked once per run.
 */
export async function judgeSeveral(
  found: FoundRuns,
  judge: (record: RunRecord) => Diagnosis | Promise<Diagnosis>,
  options: SeveralOptions = {},
): Promise<JudgedRun[] | null> {
  if (found.runs.length < 2 || (await isOneJob(found, options))) return null;
  const judged: JudgedRun[] = [];
  for await (const { run, record } of runRecords(found, options))
    judged.push({ run, diagnosis: await judge(record) });
  return judged.length < 2 ? null : judged;
}

/** The runs that a path holds, each to be taken by itself: the whole when fewer than two of its parts are runs. */
export async function separateRuns(found: FoundRuns, options: SeveralOptions = {}): Promise<FoundRun[]> {
  if (found.runs.length < 2) return [found.whole];
  const runs: FoundRun[] = [];
  for await (const { run } of runRecords(found, options)) runs.push(run);
  return runs.length < 2 ? [found.whole] : runs;
}

async function* runRecords(
  found: FoundRuns,
  options: SeveralOptions,
): AsyncGenerator<{ run: FoundRun; record: RunRecord }> {
  for (const [at, run] of found.runs.entries()) {
    options.signal?.throwIfAborted();
    options.onRun?.(at, found.runs.length);
    const record = await readFiles(run, options).catch(() => null);
    if (record !== null && tellsOfTraining(record)) yield { run, record };
  }
}

/** What is kept of one part of a folder to tell whose words it holds: little, because there may be thousands. */
interface Told extends Part {
  readonly paths: readonly string[];
  readonly speaking: ReadonlySet<number>;
  readonly namesRanks: boolean;
  readonly losses: readonly (Points & { readonly rank: number | null })[];
  readonly hasError: boolean;
}

const linesKept = 60;
const pointsKept = 64;

function toldBy({ files }: FoundRun, record: RunRecord): Told {
  const speaking = speakingIn(record);
  const losses = record.series
    .filter(({ metric, length }) => metric === 'loss' && length > 0)
    .slice(0, 16)
    .map(({ rank, length, steps, values, times }) => {
      const some = (all: Float64Array): number[] => [
        ...all.slice(0, Math.min(pointsKept, length - 1)),
        all[length - 1]!,
      ];
      return {
        rank,
        length: Math.min(length, pointsKept + 1),
        steps: some(steps),
        values: some(values),
        times: some(times),
      };
    });
  return {
    paths: files.map(({ path }) => path),
    speaking,
    namesRanks: speaking.size > 0 || record.exits.some(({ rank }) => rank !== null),
    losses,
    loss: losses[0] ?? null,
    lines: record.text.lines.slice(0, linesKept).map(({ text }) => text.slice(0, 400)),
    hasError: record.tracebacks.length > 0,
  };
}

/**
 * Whether the parts are what the hosts or ranks of one job wrote: each tells of ranks, is named by a host that another part tells of or
 * numbered like the others, and no two hold the words of one rank, unless one went on where the other ended. Runs beside each other all
 * begin at rank 0.
 */
async function isOneJob(found: FoundRuns, options: ReadRunOptions): Promise<boolean> {
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
    const part = toldBy(run, record);
    const other = parts.findLast(({ speaking }) => [...speaking].some((rank) => part.speaking.has(rank)));
    if (other !== undefined && !wentOnIn(other, part) && !wentOnIn(part, other)) return false;
    parts.push(part);
  }
  const telling = parts.filter(({ namesRanks }) => namesRanks);
  const nameless = parts.filter(({ namesRanks }) => !namesRanks);
  const isCounted = numberedLike(telling, nameless);
  const curves = nameless.filter(({ loss }) => loss !== null);
  const isMet = telling.length === 0 && curves.length > 1 && meetInOnePlace(curves);
  const isOfJob = (part: Told): boolean =>
    (isMet && part.loss !== null) ||
    isCounted(part) ||
    part.paths.some((path) => [...hosts].some((host) => isNamedBy(path, host)));
  const known = telling.length + nameless.filter(isOfJob).length;
  // What tells of no rank and no host of the job tells of no curve and, beside a single part, of no error either: a list of pods, a table.
  const others = nameless.filter((part) => (part.loss !== null || part.hasError) && !isOfJob(part));
  if (others.some(({ loss }) => loss !== null)) return false;
  return known > 1 || (known === 1 && others.length === 0);
}

/** Whether the earlier part is an attempt that the later one went on from. */
function wentOnIn(earlier: Told, later: Told): boolean {
  const [one, two] = [earlier, later].map(({ paths }) => (paths.length === 1 ? numberOf(paths[0]!) : null));
  if (!one || !two || one.family !== two.family || one.number >= two.number) return false;
  return earlier.losses.some((curve) =>
    later.losses.some((next) => next.rank === curve.rank && goesOn(curve, next, later.lines)),
  );
}

/**
 * Of files that differ in a number alone, those that name no rank are of the job when the others are numbered by their ranks, or when what
 * they say shows it.
 */
function numberedLike(telling: readonly Told[], nameless: readonly Told[]): (part: Told) => boolean {
  const shifts = new Map<string, (number | null)[]>();
  for (const { paths, speaking } of telling) {
    const found = paths.length === 1 ? numberOf(paths[0]!) : null;
    if (found === null || speaking.size === 0) continue;
    const shift = speaking.size === 1 ? [...speaking][0]! - found.number : null;
    shifts.set(found.family, [...(shifts.get(found.family) ?? []), shift]);
  }
  // A launcher that only counts its tasks names nobody's words.
  const isUnspoken = telling.every(({ speaking }) => speaking.size === 0);
  const families = new Map<string, Told[]>();
  for (const part of nameless) {
    const found = part.paths.length === 1 ? numberOf(part.paths[0]!) : null;
    if (found) families.set(found.family, [...(families.get(found.family) ?? []), part]);
  }
  const isOne = (family: string): boolean => {
    const own = shifts.get(family);
    if (own !== undefined) return own.length > 1 && own[0] !== null && own.every((shift) => shift === own[0]);
    const members = families.get(family)!;
    const numbers = new Set(members.map(({ paths }) => numberOf(paths[0]!)!.number));
    return isUnspoken && shiftOfCounted(numbers) !== null && areOneJob(members);
  };
  const ofJob = new Set([...families].flatMap(([family, members]) => (isOne(family) ? members : [])));
  return (part) => ofJob.has(part);
}

function holdsStacksAlone({ stacks, series, tracebacks, device }: RunRecord): boolean {
  return stacks.length > 0 && series.length === 0 && tracebacks.length === 0 && device.length === 0;
}

/** What the tools and the kernel of a host say of its devices: of whichever run. */
const ofHost: ReadonlySet<string> = new Set([
  'xid',
  'gpu_memory_error',
  'gpu_missing',
  'gpu_throttled',
  'nvlink_error',
  'port_slow',
  'port_errors',
]);

/** A run shows a curve, an error or an end; notes, lists of packages and reports of devices do not. */
function tellsOfTraining(record: RunRecord): boolean {
  return (
    record.tracebacks.length > 0 ||
    record.exits.length > 0 ||
    record.device.some(({ kind }) => !ofHost.has(kind)) ||
    record.series.some(({ metric, length }) => metric !== 'other' && length >= 2) ||
    record.text.lines.some(({ text }) => /\b\w*(?:Error|Exception)\b|\bKilled\b/.test(text))
  );
}
