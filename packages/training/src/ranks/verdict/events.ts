// What happened to ranks, whichever file tells of it, as events of a few kinds. What only follows from another rank (a lost peer, a watchdog
// that gave up, the launcher's SIGTERM) is none, and neither is what a rank or a later attempt overcame.
import type { Failure } from '../../features/failures.js';
import { isAboutNaN } from '../../features/nonfinite-text.js';
import type { RunView } from '../../features/view.js';
import type { RunRecord } from '../../record/run-record.js';
import { oddFingerprint, oddInWatchdog, stalledIn } from '../differing/called-apart.js';
import {
  areCompared,
  comparesRanks,
  listedApart,
  oddNumber,
  oddParameters,
  saidToDiffer,
  saysOutOfSync,
} from '../differing/compared.js';
import { driftIn } from '../differing/drift.js';
import { allReceive, givenUpIn, keyOfNone } from '../differing/given-up.js';
import {
  onDeviceOfAnother,
  resumedApart,
  sentenceApart,
  turnedApart,
  weighedApart,
} from '../differing/sentences.js';
import { endedSpoiled, firstSpoiled } from '../differing/spoiled.js';
import { unevenIn } from '../differing/uneven.js';
import { versionApart } from '../differing/versions.js';
import type { Standstill } from '../dumps/standstill.js';
import { isConsequence, leftByItself } from '../lost/consequence.js';
import { brokenDevice, downAt, faultyDevice } from '../lost/faults.js';
import { deathIn, firstToLeave } from '../lost/left.js';
import { lostFirst } from '../lost/lost-host.js';
import { isOfHost, ownerAmong } from '../lost/owner.js';
import { takenAway } from '../lost/taken.js';
import { awaitedAtStart, unreachable, unreachedAtStart } from '../lost/unreached.js';
import { isOwnFile, ownFrame } from '../present/doing.js';
import { ascending, hostOfAll, hostsIn, presentIn, sizeOf, speakingIn } from '../present/presence.js';
import { slowIn } from '../slow/slow.js';
import { leavingIn, wentOnAlone } from '../waiting/last-words.js';
import { outOfStep } from '../waiting/progress.js';
import { stoppageIn } from '../waiting/stoppage.js';

export type Place = { readonly file: string; readonly line: number } | null;

/** Whose it was, and where. None or several ranks: it happened, and nothing settles to whom. */
export interface Happened {
  readonly ranks: readonly number[];
  readonly place?: Place;
  readonly step?: number | null;
}

interface Case {
  readonly view: RunView;
  readonly still: Standstill | null;
  /** The first error that a rank raised by itself. */
  readonly own: Failure | undefined;
}

type Source = (of: Case) => Happened | number | null;

/** The kinds of events, causes before what follows from them. A run that came to its end had none of those that end one. */
export const kinds: readonly {
  readonly name: string;
  readonly endsRun: boolean;
  readonly sources: readonly Source[];
}[] = [
  { name: 'fault of a device', endsRun: true, sources: [({ view }) => brokenDevice(view)] },
  { name: 'raised', endsRun: false, sources: [raised] },
  {
    name: 'gone',
    endsRun: true,
    sources: [
      ({ view }) => firstOfHost(view),
      ({ view }) => faultyDevice(view),
      ({ view }) => downAt(view),
      ({ view }) => takenAway(view),
    ],
  },
  {
    name: 'disagrees',
    endsRun: true,
    sources: [
      inDumps,
      ({ view }) => stalledIn(view)?.rank ?? null,
      ({ view }) => oddFingerprint(view)?.rank ?? null,
      ({ view }) => oddInWatchdog(view)?.rank ?? null,
      ({ view }) => unevenIn(view)?.rank ?? null,
      ({ view }) => (allReceive(view) || keyOfNone(view) !== null ? { ranks: [] } : null),
      ({ view }) => onDeviceOfAnother(view),
      ({ view }) => gaveUp(view),
      saidApart,
    ],
  },
  {
    name: 'absent',
    endsRun: true,
    sources: [
      ({ view }) => unreachedAtStart(view),
      ({ view }) => awaitedAtStart(view),
      ({ view }) => unreachable(view),
    ],
  },
  { name: 'died', endsRun: true, sources: [died, ({ view }) => lostFirst(view)] },
  { name: 'awaited', endsRun: true, sources: [awaited] },
  { name: 'differs', endsRun: false, sources: [({ view }) => whoDiffers(view)] },
  { name: 'slow', endsRun: false, sources: [slow] },
];

export function caseOf(view: RunView, still: Standstill | null): Case {
  return {
    view,
    still,
    own: view.failures.find((failure) => failure.rank !== null && !isConsequence(failure)),
  };
}

function one(
  found: { readonly rank: number; readonly step?: number; readonly frame?: Place } | null,
): Happened | null {
  return found && { ranks: [found.rank], step: found.step ?? null, place: found.frame ?? null };
}

/** An error of a rank's own; an interrupt comes from whoever started them. Who finds ranks apart, or looks for NaN, is not who is apart or had it first. */
function raised({ view, own }: Case): Happened | null {
  if (areCompared(view) && (own === undefined || comparesRanks(own))) {
    const odd = (oddNumber(view) ?? versionApart(view))?.rank ?? oddParameters(view);
    return { ranks: odd === null ? [] : [odd] };
  }
  if (own === undefined || own.rank === null) return unmarked(view);
  if (own.type === 'KeyboardInterrupt') return { ranks: [] };
  const spoiled = isAboutNaN(own.text) ? firstSpoiled(view.record) : null;
  if (spoiled) return one(spoiled);
  if (isOfAll(view, own) || saysOutOfSync(view)) return whoDiffers(view) ?? { ranks: [] };
  return {
    ranks: [own.rank],
    place: own.frames.findLast(({ file }) => isOwnFile(file)) ?? null,
    step: own.step,
  };
}

/**
 * The only error of a rank's own, in a console that does not say whose its lines are: of whom the launcher saw fail first, unless that one
 * complains of another itself. One that was raised as often as there are ranks began nowhere.
 */
function unmarked(view: RunView): Happened | null {
  const [own, ...more] = view.failures.filter((failure) => failure.depth === 0 && !isConsequence(failure));
  if (own === undefined || own.rank !== null || more.length > 0) return null;
  const isOfEach = own.count >= sizeOf(view.record) || !view.failures.some(isConsequence);
  if (own.count > 1) return isOfEach && sizeOf(view.record) > 1 ? (whoDiffers(view) ?? { ranks: [] }) : null;
  const rank = firstToLeave(view);
  if (rank === null || view.failures.some((failure) => failure.rank === rank)) return null;
  return { ranks: [rank], place: own.frames.findLast(({ file }) => isOwnFile(file)) ?? null };
}

function inDumps({ still }: Case): Happened | null {
  if (!still?.disagreement) return null;
  const { settled, ranks, call } = still.disagreement;
  return { ranks: settled ? ranks.slice(0, 1) : [], place: call.frame };
}

/** Where no side is smaller, the one that did another number of something in that step. */
function gaveUp(view: RunView): Happened | null {
  const apart = givenUpIn(view);
  return apart?.ranks.length === 0 ? (one(turnedApart(view)) ?? apart) : apart;
}

/** A library noticed by itself that ranks differ. Where all who left a dump agree, who differs left none, or left a collective out. */
function saidApart({ view, still }: Case): Happened | null {
  if (!saidToDiffer(view)) return null;
  const [suspect, ...more] = still && still.dumps.length > 1 ? suspectsIn(still) : [];
  if (suspect !== undefined && more.length === 0) return { ranks: [suspect] };
  const odd = sentenceApart(view)?.rank ?? wentOnAlone(view) ?? outOfStep(view);
  return { ranks: odd === null ? leavingIn(view) : [odd] };
}

/** Those without a dump; where all left one, a single rank that at least two others wait for. */
function suspectsIn({ missing, first, circular, groups }: Standstill): readonly number[] {
  if (missing.length > 0) return missing;
  return !circular && groups.some(({ waiting }) => waiting.length > 1) ? first : [];
}

/** Who ends itself once its numbers are none ends of that: it began where they first were. */
function died({ view }: Case): Happened | number | null {
  const rank = deathIn(view);
  const isByItself = view.record.exits.some((exit) => exit.rank === rank && leftByItself(exit));
  if (rank === null || !isByItself || !endedSpoiled(view.record, rank)) return rank;
  return one(firstSpoiled(view.record)) ?? { ranks: [] };
}

/** Whom the others waited for. Several who wait for nobody: the dumps name the ranks, and none before the others. */
function awaited({ view, still }: Case): Happened | null {
  if (still?.circular) return { ranks: [] };
  const stoppage = stoppageIn(view);
  if (stoppage === null) return null;
  const [rank] = stoppage.ranks;
  const call = still?.dumps.find((dump) => dump.rank === rank)?.calls.at(-1);
  const isSettled =
    rank !== undefined && (stoppage.known === 'dumps' || areOfOneHost(view.record, stoppage.ranks));
  return {
    ranks: isSettled ? [rank] : [],
    place: (stoppage.stack && ownFrame(stoppage.stack)) ?? call?.frame ?? null,
  };
}

/** Where the numbers of the ranks parted, or where one first was no number: there began what all of them raise alike. */
function whoDiffers(view: RunView): Happened | null {
  const drift = driftIn(view.record);
  if (drift && drift.rank !== null) return { ranks: [drift.rank], step: drift.step };
  const listed = saysOutOfSync(view) ? listedApart(view) : null;
  if (listed !== null) return { ranks: [listed] };
  const weighed = weighedApart(view);
  if (weighed) return { ranks: [weighed.rank], step: weighed.line.step };
  const resumed = resumedApart(view);
  if (resumed) return { ranks: [resumed.rank], step: resumed.line.step };
  return one(firstSpoiled(view.record)) ?? (saidToDiffer(view) ? one(sentenceApart(view)) : null);
}

/** The first of those that are slow; of a link whose ranks are not known, the one whose port a tool finds slow. */
function slow({ view }: Case): Happened | null {
  const found = slowIn(view);
  if (found === null) return null;
  const { of, ranks } = found;
  if (of !== 'link' || (ranks.length > 0 && areOfOneHost(view.record, ranks)))
    return { ranks: ranks.slice(0, 1) };
  const ports = view.record.device.filter(({ kind }) => kind === 'port_slow');
  return { ranks: [ownerAmong(view, ports) ?? []].flat() };
}

/** A single rank, or all on one host while there are others. */
function areOfOneHost(record: RunRecord, ranks: readonly number[]): boolean {
  const areSeveral = new Set(hostsIn(record).values()).size > 1;
  return ranks.length === 1 || (areSeveral && hostOfAll(record, ranks) !== null);
}

/** The same error on every rank began nowhere. */
function isOfAll({ record, failures }: RunView, own: Failure): boolean {
  const alike = failures.filter(
    ({ type, message }) => type === own.type && unnumbered(message) === unnumbered(own.message),
  );
  const ranks = new Set(alike.map(({ rank }) => rank));
  return ranks.size > 1 && presentIn(record).every((rank) => ranks.has(rank));
}

/** Each rank says its own numbers in the same sentence. */
export function unnumbered(message: string): string {
  return message.replace(/\d+(?: \d+)*/g, '#');
}

/** Errors of no rank, all in the files of one host while other hosts only lost somebody: the first of that host that is known. */
function firstOfHost({ record, failures }: RunView): number | null {
  const own = failures.filter((failure) => !isConsequence(failure));
  const hosts = hostsIn(record);
  if (own.length === 0 || new Set(hosts.values()).size < 2) return null;
  const files = new Set(own.map(({ at }) => at.file));
  const here = new Set(
    [...hosts.values()].filter((host) => [...files].every((file) => isOfHost(file, host))),
  );
  const [host, ...more] = here;
  if (host === undefined || more.length > 0) return null;
  const ranks = [...hosts].flatMap(([rank, of]) => (of === host ? rank : [])).sort(ascending);
  // The agent of the host names the worker that it saw fail.
  const seen = record.exits.find(
    ({ passing, rank, at }) => passing && rank !== null && ranks.includes(rank) && files.has(at.file),
  );
  if (seen) return seen.rank;
  const lost = failures.some(({ rank, at }) => rank !== null && !ranks.includes(rank) && !files.has(at.file));
  const speaking = speakingIn(record);
  return lost ? (ranks.find((rank) => speaking.has(rank)) ?? ranks[0]!) : null;
}
