// What is said of a run of several ranks: who is there, who is missing, who was first, who waits for whom, and what to do.
import type { Actor } from '../causes/define.js';
import { causeOf, type Subcause } from '../causes/table.js';
import { viewOf } from '../features/view.js';
import type { RunRecord } from '../record/run-record.js';
import { firstOf } from './first.js';
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
export function sizeOf(record: RunRecord): number {
  return Math.max((presentIn(record).at(-1) ?? -1) + 1, record.hardware.worldSize ?? 0);
}

/** Null for a run of one rank, or one that does not tell its ranks apart. */
export function ranksOf(record: RunRecord): Ranks | null {
  const present = presentIn(record);
  const view = viewOf(record);
  // What a recorder had not seen end when a run completed did end.
  const still = view.ending.kind === 'completed' ? null : standstillIn(record);
  const members = record.dumps.flatMap(({ groups }) => groups.flatMap(({ ranks }) => ranks ?? []));
  const size = Math.max(sizeOf(record), ...(still?.missing ?? []).map(next), ...members.map(next));
  const isCounted = record.hardware.worldSize !== null || record.exits.some(({ rank }) => rank !== null);
  if (size < 2 || present.length === 0 || (present.length < 2 && !isCounted)) return null;
  const here = new Set(present);
  return {
    world_size: size,
    present,
    missing: ranksUpTo(size).filter((rank) => !here.has(rank)),
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

function next(rank: number): number {
  return rank + 1;
}

export function ranksUpTo(size: number): number[] {
  return Array.from({ length: size }, (_, rank) => rank);
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
  for (const { rank } of record.stacks) see(rank);
  for (const { rank } of record.seats) see(rank);
  for (const { rank } of record.exits) see(rank);
  for (const { rank } of record.text.lines) see(rank);
  for (const { file } of record.sources) see(rankOfPath(file));
  return [...seen].sort(ascending);
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
  if (group === 'device_fault' || subcause === 'network_link') return 'exclude_node';
  if (subcause === 'preempted') return 'restart';
  // The code may be at fault, or the device of one rank.
  if (subcause === 'replica_drift') return 'unknown';
  return byActor[actor];
}
