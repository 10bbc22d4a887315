// The ranks that the others waited for, and what they were doing meanwhile: from the dumps of the flight recorder where there are any,
// else from the counts of ncclras, else from the stacks, else from what rank 0 said last, else from who is silent while the others complain.
import { once } from '../../features/once.js';
import type { RunView } from '../../features/view.js';
import type { RunRecord } from '../../record/run-record.js';
import type { RankStack } from '../../record/stack.js';
import { saidToDiffer } from '../differing/compared.js';
import { givenUpIn } from '../differing/given-up.js';
import { standstillIn } from '../dumps/standstill.js';
import { isConsequence } from '../lost/consequence.js';
import { leftEarly } from '../lost/left.js';
import { behindIn, goneIn } from '../lost/taken.js';
import { type Doing, doingOf } from '../present/doing.js';
import { ascending, presentIn, ranksUpTo, sizeOf, speakingIn } from '../present/presence.js';
import { stacksByRank, wholeStanding } from '../present/stacks.js';
import { tradeIn } from '../slow/trade.js';
import { lastWordsOf, leavingIn } from './last-words.js';
import { wasPause } from './pause.js';
import { behindOthers } from './progress.js';

export interface Stoppage {
  /** Whom the others waited for; ascending. Empty where a stack shows it and nothing says of which rank it is. */
  readonly ranks: readonly number[];
  /** Whether it is one. */
  readonly alone: boolean;
  readonly known: 'dumps' | 'counts' | 'stacks' | 'silence' | 'words';
  /** Of the first of them; null when nobody asked for its stack. */
  readonly stack: RankStack | null;
  readonly doing: Doing | null;
  /** The operation in which the others waited, where the dumps say. */
  readonly operation: string | null;
}

/** Null when nobody waited, when the ranks disagree, or when nothing tells who was waited for. */
export const stoppageIn = once(stoppageOf);

function stoppageOf(view: RunView): Stoppage | null {
  const { record } = view;
  const stacks = stacksByRank(record);
  const still = standstillIn(record);
  if (still?.disagreement || still?.circular || saidToDiffer(view) || givenUpIn(view)) return null;
  if (still) {
    const root = new Set(still.first);
    const group = still.groups.find(({ behind }) => behind.some((rank) => root.has(rank)));
    return described(still.first, 'dumps', stacks, group?.operation ?? null);
  }
  const gone = goneIn(record);
  const late = gone.length > 0 || complainingIn(view).size === 0 ? gone : behindIn(record);
  if (late.length > 0) return described(late, 'counts', stacks, null);
  const standing = wholeStanding(record);
  const others = standing.filter(({ stack }) => !isWaiting(doingOf(stack)));
  if (others.length > 0 && others.length * 2 <= standing.length) {
    if (wasPause(view, standing, others)) return null;
    const ranks = others.flatMap(({ rank }) => rank ?? []).sort(ascending);
    const silent = ranks.length === 0 && others.length === 1 ? silentIn(view) : [];
    if (silent.length === 1) return { ...standingAt(others[0]!.stack), ranks: silent };
    return ranks.length > 0
      ? described(ranks, 'stacks', stacks, null)
      : standingAt(others[0]!.stack, others.length);
  }
  const early = leftEarly(view);
  if (early !== null) return described([early], 'counts', stacks, null);
  const left = leavingIn(view).filter((rank) => lastWordsOf(view, rank)?.work === 'left');
  if (left.length === 1) return described(left, 'words', stacks, null);
  const named = awaitedByName(view);
  if (named !== null) return described([named], 'words', stacks, null);
  const silent = silentIn(view);
  const odd = silent.length === 1 && !stacks.has(silent[0]!) ? oddStack(record) : null;
  if (odd) stacks.set(silent[0]!, odd);
  const isFirstAlone = silent.every((rank) => rank === 0);
  if (odd === null && isFirstAlone && lastWordsOf(view, 0) !== null)
    return described([0], 'words', stacks, null);
  const busy = silent.length === 1 ? null : busyAlone(view, silent);
  if (busy !== null) return described([busy], 'words', stacks, null);
  const behind = silent.length === 1 || complainingIn(view).size === 0 ? null : behindOthers(view);
  if (behind !== null && (silent.length === 0 || silent.includes(behind)))
    return described([behind], 'counts', stacks, null);
  // Of several that are silent, the one that the others waited for before.
  const slow = silent.length > 1 ? tradeIn(record) : null;
  if (slow && silent.includes(slow.rank)) return described([slow.rank], 'silence', stacks, null);
  return silent.length === 0 ? null : described(silent, odd ? 'stacks' : 'silence', stacks, null);
}

/** Of several that may be waited for, or where nobody is known to be, the only one whose last line names work of its own. */
function busyAlone(view: RunView, silent: readonly number[]): number | null {
  const ranks = silent.length > 0 ? silent : [...speakingIn(view.record)];
  const [busy, ...more] = ranks.filter((rank) => lastWordsOf(view, rank) !== null);
  return busy !== undefined && more.length === 0 ? busy : null;
}

function standingAt(stack: RankStack, count = 1): Stoppage {
  return { ranks: [], alone: count === 1, known: 'stacks', stack, doing: doingOf(stack), operation: null };
}

function described(
  ranks: readonly number[],
  known: Stoppage['known'],
  stacks: ReadonlyMap<number, RankStack>,
  operation: string | null,
): Stoppage | null {
  if (ranks.length === 0) return null;
  const stack = stacks.get(ranks[0]!) ?? null;
  return { ranks, alone: ranks.length === 1, known, stack, doing: stack ? doingOf(stack) : null, operation };
}

/** Of stacks that name no rank the only one that does not wait: it is the stack of the only rank that others wait for. */
function oddStack({ stacks, seats }: RunRecord): RankStack | null {
  const known = new Set(seats.map(({ pid }) => pid).filter((pid) => pid !== null));
  const nameless = stacks.filter(({ rank, pid }) => rank === null && (pid === null || !known.has(pid)));
  const odd = nameless.filter((stack) => !isWaiting(doingOf(stack)));
  const places = new Set(odd.map(({ frames: [inner] }) => `${inner?.file}:${inner?.function}`));
  return places.size === 1 ? odd.at(-1)! : null;
}

/** A stack of every rank shows it in a collective: all wait, and the job goes on no more. */
export function allWait(record: RunRecord): boolean {
  const standing = wholeStanding(record);
  return (
    standing.length > 1 &&
    standing.length >= presentIn(record).length &&
    standing.every(({ stack }) => isWaiting(doingOf(stack)))
  );
}

function isWaiting(doing: Doing): boolean {
  return doing === 'collective' || doing === 'backward';
}

const lacking = String.raw`(?:missing|absent|unresponsive|unhealthy|stuck|hung|stalled|(?:no|missed|missing|stopped sending) (?:too many )?heartbeats?|heartbeat time(?:d )?out|(?:not|never) (?:yet )?(?:respond|arriv|join|reach|report|check|answer|enter|call|come|came)\w*)`;
const ended =
  '(?:abort\\w*|failed|failure|died|dead|crash\\w*|gone|lost|disconnect\\w*|dropped|hang up|hung up|left)';
/** Libraries and launchers call a rank so as well: "worker 3", "/job:train/replica:0/task:3". */
const member = String.raw`(?:ranks?|(?:\/job:\w+\/replica:\d+\/)?task|worker|replica|trainer|actor|process)`;
const awaited: readonly RegExp[] = [
  new RegExp(
    String.raw`\b(?:${lacking}|waiting (?:for|on))\b[^\d\n]{0,40}\b${member}\b[\s:=(\[#]{0,3}(\d{1,5})\b(?!\s*[,-]\s*\d)`,
    'i',
  ),
  new RegExp(String.raw`\b${member}[\s:=#]{0,2}(\d{1,5})\b[^\d\n]{0,20}\b${lacking}\b`, 'i'),
];
/** A coordinator names its members and knows which of them it no longer hears, alone on a line or with what became of it. */
const byCoordinator =
  /^\/job:\w+\/replica:\d+\/task:(\d{1,5})\s*$|\bRank (\d{1,5}) failed to pass monitoredBarrier|\/task:(\d{1,5})\b[^\n]{0,60}\b(?:heartbeat timeout|set to ERROR|unhealthy)/;
/** "abort requested by rank 11", "lost the connection to rank 11": so is said of the victims too. */
const leftBehind: readonly RegExp[] = [
  new RegExp(
    String.raw`\b${ended}\b[^\d\n]{0,40}\b(?:by|from|on|of|to|with) rank[\s:=]{0,2}(\d{1,5})\b`,
    'i',
  ),
  new RegExp(String.raw`\brank[\s:=]{0,2}(\d{1,5})\b (?:has |had |was |is |seems |appears )?${ended}\b`, 'i'),
];

/**
 * A library's own words: who holds the store, or whom a communicator begins with, is named in all of them. And the workers of a loader are
 * counted for themselves.
 */
const ofNoRank =
  /\.(?:cpp|cc|hpp):\d+|c10d|NCCL|gloo|TCPStore|\b(?:data ?)?(?:loader|prefetch\w*|batch(?:es)?|samples?|shards?)\b.{0,40}\bworker\b/i;

/** Whom a coordinator no longer hears; else the only rank that others say they miss; else the only one that they say they lost and that complains of nobody. */
function awaitedByName(view: RunView): number | null {
  if (view.ending.kind === 'completed') return null;
  const complaining = complainingIn(view);
  const unheard = namedIn(view, [byCoordinator], /^$/);
  const gone = namedIn(view, leftBehind).filter((rank) => !complaining.has(rank));
  const missed = complaining.size === 0 ? [] : namedIn(view, awaited);
  const [one, ...more] = [unheard, missed].find((named) => named.length > 0) ?? gone;
  return one !== undefined && more.length === 0 && one < sizeOf(view.record) ? one : null;
}

/** Whom the lines of other ranks, or of nobody, speak of so. */
function namedIn({ lines }: RunView, patterns: readonly RegExp[], passedOver = ofNoRank): number[] {
  const ranks = new Set<number>();
  for (const { rank, text: whole } of lines) {
    const text = whole.slice(0, 400);
    if ((whole.length > 400 && passedOver === ofNoRank) || !/\d/.test(text) || passedOver.test(text))
      continue;
    const found = patterns
      .map((pattern) =>
        pattern
          .exec(text)
          ?.slice(1)
          .find((digits) => digits !== undefined),
      )
      .find((digits) => digits !== undefined);
    if (found !== undefined && Number(found) !== rank) ranks.add(Number(found));
  }
  return [...ranks];
}

const lostPeer = /ncclRemoteError|remote process exited/;

/** Ranks that report that they lost somebody. */
function complainingIn({ record, failures }: RunView): Set<number | null> {
  const telling = new Set(failures.filter(isConsequence).map(({ rank }) => rank));
  for (const message of record.device)
    if (message.kind === 'collective_timeout' || (message.kind === 'nccl' && lostPeer.test(message.text)))
      telling.add(message.rank);
  return telling;
}

/** Ranks that say nothing of the end while most of the others report that they lost somebody. */
function silentIn(view: RunView): number[] {
  const { record, failures } = view;
  const late = cameAfterwards(view);
  if (late !== null) return [late];
  const telling = complainingIn(view);
  telling.delete(null);
  if (telling.size === 0) return [];
  const failing = new Set(failures.filter((failure) => !isConsequence(failure)).map(({ rank }) => rank));
  const silent = ranksUpTo(sizeOf(record)).filter((rank) => !telling.has(rank) && !failing.has(rank));
  // One against one: only where there are no others.
  const isPair = silent.length === 1 && telling.size === 1;
  const areTwo = record.hardware.worldSize === 2 || presentIn(record).length === 2;
  if (silent.length >= telling.size && !(isPair && areTwo)) return [];
  // Of whom nothing is there at all nothing is known; whoever spoke before fell silent.
  const speaking = speakingIn(record);
  const fallen = silent.filter((rank) => speaking.has(rank));
  return fallen.length > 0 ? fallen : silent;
}

/**
 * The one whose watchdog gave up nothing, and that found its peers gone in a call of its own, while those of all others gave up waiting: it
 * came to the collective when nobody was there any more.
 */
function cameAfterwards({ record, failures }: RunView): number | null {
  const waited = new Set(
    record.device.flatMap(({ kind, rank }) => (kind === 'collective_timeout' ? (rank ?? []) : [])),
  );
  const [one, ...more] = ranksUpTo(sizeOf(record)).filter((rank) => !waited.has(rank));
  if (one === undefined || more.length > 0 || waited.size < 2) return null;
  const told = failures.filter(({ rank }) => rank === one);
  return told.length > 0 && told.every((failure) => isConsequence(failure) && failure.frames.length > 0)
    ? one
    : null;
}
