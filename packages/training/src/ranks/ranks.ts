// What is said of a run of several ranks: who is there, who is missing, who was first, who waits for whom, and what to do.
import type { Actor } from '../causes/define.js';
import type { Group } from '../causes/groups.js';
import { causeOf, type Subcause } from '../causes/table.js';
import { type RunView, viewOf } from '../features/view.js';
import type { RunRecord } from '../record/run-record.js';
import { type FirstRank, firstOf } from './first.js';
import { hostsIn, presentIn, ranksUpTo, sizeOf, standstillIn } from './presence.js';
import { goneIn, isOfDevice, ofDevice } from './reported.js';
import { stoppageIn } from './stoppage.js';

export type Action = 'restart' | 'exclude_node' | 'fix_code' | 'fix_data' | 'unknown';

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

/** Null for a run of one rank, or one that does not tell its ranks apart. */
export function ranksOf(record: RunRecord): Ranks | null {
  const present = presentIn(record);
  const view = viewOf(record);
  // What a recorder had not seen end when a run completed did end.
  const still = view.ending.kind === 'completed' ? null : standstillIn(record);
  let size = sizeOf(record);
  const reach = (rank: number): void => {
    size = Math.max(size, rank + 1);
  };
  for (const rank of still?.missing ?? []) reach(rank);
  for (const { groups } of record.dumps)
    for (const { ranks } of groups) for (const rank of ranks ?? []) reach(rank);
  const isCounted =
    record.hardware.worldSize !== null ||
    record.exits.some(({ rank }) => rank !== null) ||
    (present[0] ?? 0) > 0;
  if (size < 2 || present.length === 0 || (present.length < 2 && !isCounted)) return null;
  const here = new Set(present);
  return {
    world_size: size,
    present,
    missing: ranksUpTo(size).filter((rank) => !here.has(rank)),
    first: firstOf(view, still),
    behind: still?.disagreement ? still.disagreement.ranks : (still?.first ?? reportedIn(view)),
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

/** Ranks that ncclras finds gone, or behind in a run that stands still. */
function reportedIn(view: RunView): readonly number[] {
  if (view.ending.kind === 'completed') return [];
  const gone = goneIn(view.record);
  if (gone.length > 0) return gone;
  const stoppage = stoppageIn(view);
  return stoppage?.known === 'counts' ? stoppage.ranks : [];
}

const byActor: Readonly<Record<Actor, Action>> = {
  author: 'fix_code',
  tuner: 'fix_code',
  data: 'fix_data',
  operator: 'unknown',
};

/** What a run asks for beyond the machine has: the same run asks for it again on any other. */
const ofProgram: ReadonlySet<Group> = new Set([
  'device_capacity',
  'device_request',
  'device_growth',
  'host_memory',
]);

/** Never `restart` for a fault that would come again. */
export function actionFor(subcause: Subcause | null, record: RunRecord, first: FirstRank | null): Action {
  if (subcause === null) return 'unknown';
  const { actor, group } = causeOf(subcause);
  if (group === 'device_fault' || subcause === 'network_link') return 'exclude_node';
  if (first !== null && isOfMachine(subcause, record, first)) return 'exclude_node';
  if (actor === 'operator' && ofProgram.has(group)) return 'fix_code';
  if (subcause === 'preempted') return 'restart';
  // The code may be at fault, or the device of one rank.
  if (subcause === 'replica_drift') return 'unknown';
  return byActor[actor];
}

/** A rank on a slow device that a tool finds held back, or on the only host of several whose storage or network fails. */
function isOfMachine(subcause: Subcause, record: RunRecord, { rank, host }: FirstRank): boolean {
  if (subcause === 'straggler')
    return record.device.some((message) => ofDevice.has(message.kind) && isOfDevice(record, message, rank));
  if (subcause === 'slow_link')
    return record.device.some(({ kind }) => kind === 'port_slow') && host !== null;
  const isOfHost = causeOf(subcause).group === 'storage' || subcause === 'rendezvous';
  // What the first rank writes for all of them lies where the others see it too.
  return isOfHost && rank > 0 && host !== null && new Set(hostsIn(record).values()).size > 1;
}
