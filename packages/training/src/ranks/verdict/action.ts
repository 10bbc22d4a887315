// What to do about a cause: as its row in the table of causes says, unless the run tells more of it. No machine is left out unless
// something points at it.
import type { Action, Actor } from '../../causes/define.js';
import type { Group } from '../../causes/groups.js';
import { rankCauses } from '../../causes/ranks.js';
import { causeOf, type Subcause } from '../../causes/table.js';
import { viewOf } from '../../features/view.js';
import { readsData, secondsIn } from '../../record/phase-names.js';
import type { RunRecord } from '../../record/run-record.js';
import { isConsequence } from '../lost/consequence.js';
import { isOfDevice, ofDevice } from '../lost/owner.js';
import { hostsIn, tellsRanks } from '../present/presence.js';
import { outlierIn } from '../slow/profile.js';
import { tradeIn } from '../slow/trade.js';
import { allWait } from '../waiting/stoppage.js';
import type { FirstRank } from './first.js';

const byActor: Readonly<Record<Actor, Action>> = {
  author: 'fix_code',
  tuner: 'fix_code',
  data: 'fix_data',
  operator: 'unknown',
};

interface Case {
  readonly subcause: Subcause;
  readonly group: Group;
  readonly record: RunRecord;
  readonly first: FirstRank | null;
}

/** What a run tells beyond its cause; the first row that fits decides. */
const told: readonly { readonly when: (of: Case) => boolean; readonly action: Action }[] = [
  { when: (of) => of.subcause === 'rendezvous' && tells(of, ofSettings), action: 'fix_code' },
  { when: (of) => of.subcause === 'rendezvous' && tells(of, outOfReach), action: 'exclude_node' },
  { when: isOfMachine, action: 'exclude_node' },
  // A device that the same rank of every other host has.
  { when: lacksDevice, action: 'exclude_node' },
  // The scheduler says itself that it lost the machine.
  {
    when: ({ subcause, record, first }) =>
      subcause === 'terminated' &&
      first?.host != null &&
      record.exits.some(({ reason }) => reason === 'node_failure'),
    action: 'exclude_node',
  },
  // What kills a worker from outside is not in the code; what it died of by itself is.
  { when: (of) => of.subcause === 'worker_death' && tells(of, crashed), action: 'fix_code' },
  // More time does not help those who wait for each other.
  { when: ({ subcause, record }) => subcause === 'time_limit' && allWait(record), action: 'unknown' },
  // What could be reached before can be reached again.
  { when: ({ subcause, record }) => subcause === 'network' && record.lastStep !== null, action: 'restart' },
];

const crashed = /killed by signal: (?:Segmentation|Abort|Illegal|Floating)/i;
/** A port that is taken, a name that nobody knows: so it is again on any machine, until it is set otherwise. */
const ofSettings = /address already in use|EADDRINUSE|Name or service not known|could not resolve host/i;
/** Said of a host that does not answer at all. */
const outOfReach =
  /No route to host|Host is (?:down|unreachable)|\bssh\b.{0,80}(?:Connection timed out|Connection refused)/i;

export function actionFor(subcause: Subcause | null, record: RunRecord, first: FirstRank | null): Action {
  if (subcause === null) return 'unknown';
  const { actor, group, action = byActor[actor] } = causeOf(subcause);
  return told.find(({ when }) => when({ subcause, group, record, first }))?.action ?? action;
}

const ofRanks: ReadonlySet<string> = new Set([
  ...Object.keys(rankCauses),
  'collective_timeout',
  'missing_rank',
  'straggler',
]);

/** Whether the run has several ranks, though nothing tells them apart: it says so, somebody lost another, or only such a run has its cause. */
export function concernsRanks(subcause: Subcause | null, record: RunRecord): boolean {
  return (
    subcause !== null &&
    (tellsRanks(record) || ofRanks.has(subcause) || viewOf(record).failures.some(isConsequence))
  );
}

/** A cause whose evidence lies where the fault is: what ranks say of each other does not. */
export function showsMachine(subcause: Subcause | null): boolean {
  if (subcause === null) return false;
  const { category, group } = causeOf(subcause);
  const isOfOthers = group === 'pace' || (group === 'communication' && subcause !== 'network_link');
  return category === 'memory_hardware' && !isOfOthers;
}

function tells({ record }: Case, pattern: RegExp): boolean {
  const { failures, lines } = viewOf(record);
  return [...failures, ...lines].some(({ text }) => text.length < 2000 && pattern.test(text));
}

/** A rank on a device that turned slow or that a tool finds held back, or on the only host of several whose storage or network fails. */
function isOfMachine({ subcause, group, record, first }: Case): boolean {
  if (first === null) return false;
  const { rank, host } = first;
  const isReported = (): boolean =>
    record.device.some((message) => ofDevice.has(message.kind) && isOfDevice(record, message, rank));
  if (subcause === 'straggler') return turnedSlow(record, rank) || isReported();
  // A broken device computes wrong values without an error.
  if (subcause === 'replica_drift') return isReported();
  if (subcause === 'slow_link') return host !== null;
  const isOfDisk = group === 'storage' && subcause !== 'open_files' && !isShared(record, subcause);
  const isOfHost = isOfDisk || subcause === 'rendezvous';
  // What the first rank writes for all of them lies where the others see it too.
  return isOfHost && rank > 0 && host !== null && new Set(hostsIn(record).values()).size > 1;
}

function lacksDevice({ record, first }: Case): boolean {
  const lacking = viewOf(record).failures.filter(({ text }) => noDevice.test(text));
  const hosts = hostsIn(record);
  const counts = new Map<string, number>();
  for (const host of hosts.values()) counts.set(host, (counts.get(host) ?? 0) + 1);
  return (
    first?.host != null &&
    lacking.length > 0 &&
    lacking.every(({ rank }) => rank !== null && hosts.get(rank) === first.host) &&
    counts.size > 1 &&
    new Set(counts.values()).size === 1
  );
}

const noDevice = /invalid device ordinal|No CUDA GPUs are available|no CUDA-capable device/i;

/** It kept up with the others at first, with the same work. */
function turnedSlow(record: RunRecord, rank: number): boolean {
  const outlier = outlierIn(record);
  if (outlier?.turned && outlier.ranks.includes(rank)) return true;
  const trade = tradeIn(record);
  if (trade?.rank !== rank || readsData(trade.slow.name)) return false;
  const { series, others } = trade.slow;
  const early = series.values.slice(0, Math.max(1, Math.floor(series.length / 8)));
  return early.every((time) => time * secondsIn(series) < 1.3 * others);
}

/** A quota, or a place that ranks of other hosts speak of as well: it is full for all of them. */
function isShared(record: RunRecord, subcause: Subcause): boolean {
  if (subcause !== 'disk_full') return false;
  const { failures, lines } = viewOf(record);
  const full = failures.find(({ text }) => /No space left|Errno 28|quota/i.test(text));
  if (full === undefined || /quota|Errno 122/i.test(full.text)) return full !== undefined;
  const place = /(\/[\w.-]+\/[\w.-]+)[\w./-]*/.exec(full.text)?.[1];
  const hosts = hostsIn(record);
  const own = full.rank === null ? null : (hosts.get(full.rank) ?? null);
  return (
    place !== undefined &&
    own !== null &&
    [...lines, ...failures].some(({ rank, text }) => {
      const host = rank === null ? null : (hosts.get(rank) ?? null);
      return host !== null && host !== own && text.length < 2000 && text.includes(`${place}/`);
    })
  );
}
