// What is said of a run of several ranks: who is there, who is missing, who was first, who waits for whom, and what to do.
import type { Actor } from '../causes/define.js';
import { causeOf, type Subcause } from '../causes/table.js';
import { type RunView, viewOf } from '../features/view.js';
import type { RunRecord } from '../record/run-record.js';
import { isConsequence } from './consequence.js';
import type { CallFrame } from './dump.js';
import { rankOfPath } from './path-rank.js';
import { ascending, type Standstill, standstillOf } from './standstill.js';

export type Action = 'restart' | 'exclude_node' | 'fix_code' | 'fix_data' | 'unknown';

export interface FirstRank {
  readonly rank: number;
  readonly host: string | null;
  readonly device: number | null;
  readonly step: number | null;
  /** The line of the user's code, where it is known. */
  readonly file: string | null;
  readonly line: number | null;
}

export interface RankGroup {
  readonly name: string;
  readonly ranks: readonly number[];
  readonly operation: string;
  readonly sequence: number;
  readonly waiting: readonly number[];
  readonly behind: readonly number[];
}

export interface Ranks {
  readonly world_size: number;
  readonly present: readonly number[];
  readonly missing: readonly number[];
  readonly first: FirstRank | null;
  /** The ranks that the others wait for and that wait for nobody. */
  readonly behind: readonly number[];
  readonly groups: readonly RankGroup[];
}

const standstills = new WeakMap<RunRecord, { readonly found: Standstill | null }>();

/** Worked out once per record: the detector, the verdict and the picture ask for it. */
export function standstillIn(record: RunRecord): Standstill | null {
  if (record.dumps.length === 0) return null;
  const known = standstills.get(record) ?? { found: standstillOf(record.dumps, sizeOf(record)) };
  standstills.set(record, known);
  return known.found;
}

/** As many ranks as the run says it has, or as left anything. */
function sizeOf(record: RunRecord): number {
  return Math.max((presentIn(record).at(-1) ?? -1) + 1, record.hardware.worldSize ?? 0);
}

/** Null for a run of one rank, or one that does not tell its ranks apart. */
export function ranksOf(record: RunRecord): Ranks | null {
  const present = presentIn(record);
  const still = standstillIn(record);
  const members = new Set([
    ...present,
    ...(still?.missing ?? []),
    ...record.dumps.flatMap(({ groups }) => groups.flatMap(({ ranks }) => ranks ?? [])),
  ]);
  const largest = Math.max(-1, ...members) + 1;
  const size = Math.max(largest, record.hardware.worldSize ?? 0);
  if (size < 2 || present.length === 0 || (present.length < 2 && record.hardware.worldSize === null))
    return null;
  const here = new Set(present);
  const view = viewOf(record);
  return {
    world_size: size,
    present,
    missing: Array.from({ length: size }, (_, rank) => rank).filter((rank) => !here.has(rank)),
    first: firstOf(view, still),
    behind: still?.disagreement ? still.disagreement.ranks : (still?.first ?? []),
    groups: (still?.groups ?? []).map(({ name, ranks, operation, sequence, waiting, behind }) => ({
      name,
      ranks,
      operation,
      sequence,
      waiting,
      behind,
    })),
  };
}

export function presentIn(record: RunRecord): number[] {
  const seen = new Set<number>();
  const see = (rank: number | null) => {
    if (rank !== null) seen.add(rank);
  };
  for (const { rank } of record.dumps) see(rank);
  for (const { rank } of record.tracebacks) see(rank);
  for (const { rank } of record.device) see(rank);
  for (const { rank } of record.series) see(rank);
  for (const { rank } of record.text.lines) see(rank);
  for (const { file } of record.sources) see(rankOfPath(file));
  return [...seen].sort(ascending);
}

/** How a launcher ends the ranks that are left. */
const sentByLaunchers: ReadonlySet<string> = new Set(['SIGTERM', 'SIGINT', 'SIGHUP']);

/** An error of a rank's own comes before everything that the records of the ranks show. */
function firstOf(view: RunView, still: Standstill | null): FirstRank | null {
  const { record } = view;
  const own = view.failures.find((failure) => failure.rank !== null && !isConsequence(failure));
  if (own && own.rank !== null) {
    const place = own.frames.findLast(
      ({ file }) => !/site-packages|dist-packages|lib\/python\d|<frozen/.test(file),
    );
    return named(own.rank, place ?? null, own.step);
  }
  if (still?.disagreement) {
    const { settled, ranks, call } = still.disagreement;
    return settled && ranks.length > 0 ? named(ranks[0]!, call.frame, null) : null;
  }
  // A rank whose communication noticed the disagreement may abort; without one, such a death is its own.
  const killed = record.exits.find(
    ({ rank, signal }) => rank !== null && signal !== null && !sentByLaunchers.has(signal),
  );
  if (killed && killed.rank !== null) return named(killed.rank, null, killed.step);
  if (still === null) return null;
  const { first, circular } = still;
  const [rank] = first;
  if (rank === undefined || circular) return null;
  const last = still.dumps.find((dump) => dump.rank === rank)?.calls.at(-1);
  return named(rank, last?.frame ?? null, null);
}

function named(rank: number, place: Pick<CallFrame, 'file' | 'line'> | null, step: number | null): FirstRank {
  return { rank, host: null, device: null, step, file: place?.file ?? null, line: place?.line ?? null };
}

const byActor: Readonly<Record<Actor, Action>> = {
  author: 'fix_code',
  tuner: 'fix_code',
  data: 'fix_data',
  operator: 'unknown',
};

/** Never `restart` for a fault that would come again. */
export function actionFor(subcause: Subcause | null): Action {
  if (subcause === null) return 'unknown';
  const { actor, group } = causeOf(subcause);
  if (group === 'device_fault') return 'exclude_node';
  if (subcause === 'preempted') return 'restart';
  return byActor[actor];
}
