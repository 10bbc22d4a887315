// Where it began. Causes come before consequences: a fault of a device, an error of a rank's own, the collective that the ranks called
// differently, a death that no launcher caused, and only then who waited for whom. Clocks decide nothing here.
import type { Failure } from '../features/failures.js';
import { isAboutNaN } from '../features/nonfinite-text.js';
import type { RunView } from '../features/view.js';
import { hasWord } from '../readers/collect/seating.js';
import type { ExitReason } from '../record/exit.js';
import type { RunRecord, TextLine, Where } from '../record/run-record.js';
import { downAt } from './adapter.js';
import { isConsequence, wasKilled } from './consequence.js';
import { saidToDiffer } from './differing.js';
import { isOwnFile, ownFrame } from './doing.js';
import { driftIn } from './drift.js';
import { oddFingerprint } from './fingerprints.js';
import { allReceive, givenUpIn } from './given-up.js';
import { heldDownIn } from './held-down.js';
import { leavingIn } from './last-words.js';
import { latecomerIn } from './lateness.js';
import { lostFirst } from './lost-host.js';
import { hostsIn, presentIn, speakingIn } from './presence.js';
import { outlierIn } from './profile.js';
import { leftOut } from './progress.js';
import { goneIn, hostOf, isOfHost, mayOwn, withoutPlaceOfStep } from './reported.js';
import {
  areCompared,
  comparesRanks,
  oddNumber,
  oddParameters,
  saysOutOfSync,
  sentenceApart,
  valueApart,
  versionApart,
  wentOnAlone,
} from './said-apart.js';
import { slowLinkIn } from './slow-link.js';
import { slowestIn, toldSlowest } from './slowest.js';
import { firstSpoiled } from './spoiled.js';
import { stalledIn } from './stalled.js';
import type { Standstill } from './standstill.js';
import { stoppageIn } from './stoppage.js';
import { namesDevice, ownerAmong, suspectAmong } from './suspect.js';
import { tradeIn } from './trade.js';
import { unevenIn } from './uneven.js';
import { awaitedAtStart, notAtBarrier, unreachable, unreachedAtStart } from './unreached.js';
import { oddInWatchdog } from './watchdog.js';

export interface FirstRank {
  readonly rank: number;
  readonly host: string | null;
  readonly device: number | null;
  readonly step: number | null;
  /** The line of the user's code, where it is known. */
  readonly file: string | null;
  readonly line: number | null;
}

const faulty: ReadonlySet<string> = new Set(['gpu_memory_error', 'gpu_missing', 'nvlink_error']);

type Place = { readonly file: string; readonly line: number } | null;

/** How a launcher ends the ranks that are left. */
const sentByLaunchers: ReadonlySet<string> = new Set(['SIGTERM', 'SIGINT', 'SIGHUP']);

export function firstOf(view: RunView, still: Standstill | null): FirstRank | null {
  const { record } = view;
  const named = (rank: number, place: Place, step: number | null): FirstRank =>
    firstAt(record, rank, place, step);
  const isOver = view.ending.kind === 'completed';
  const broken = isOver ? null : brokenDevice(view);
  if (broken !== null) return named(broken, null, null);
  const own = view.failures.find((failure) => failure.rank !== null && !isConsequence(failure));
  if (areCompared(view) && (own === undefined || comparesRanks(own))) {
    const odd = (oddNumber(view) ?? versionApart(view))?.rank ?? oddParameters(view);
    return odd === null ? null : named(odd, null, null);
  }
  // Who looks for NaN is not who had it first.
  const spoiled = own && isAboutNaN(own.text) ? firstSpoiled(record) : null;
  if (spoiled) return named(spoiled.rank, null, spoiled.step);
  if (own && own.rank !== null)
    return isOfAll(view, own) || saysOutOfSync(view)
      ? whoDiffers(view, named)
      : named(own.rank, own.frames.findLast(({ file }) => isOwnFile(file)) ?? null, own.step);
  const host = isOver ? null : firstOfHost(view);
  if (host !== null) return named(host, null, null);
  const reported = isOver
    ? null
    : (faultyDevice(view) ?? downAt(view) ?? takenAway(view) ?? goneFirst(record));
  if (reported !== null) return named(reported, null, null);
  if (still?.disagreement) {
    const { settled, ranks, call } = still.disagreement;
    return settled && ranks.length > 0 ? named(ranks[0]!, call.frame, null) : null;
  }
  const stalled = isOver ? null : stalledIn(view);
  if (stalled) return named(stalled.rank, null, null);
  const print = oddFingerprint(view) ?? (isOver ? null : oddInWatchdog(view));
  if (print) return named(print.rank, null, null);
  const uneven = unevenIn(view);
  if (uneven) return named(uneven.rank, null, null);
  const skipped = leftOut(view);
  if (skipped) return named(skipped.rank, null, skipped.step);
  if (!isOver && allReceive(view)) return null;
  const apart = givenUpIn(view);
  if (apart) return apart.ranks.length === 1 ? named(apart.ranks[0]!, apart.place, null) : null;
  if (saidToDiffer(view)) {
    // All who left a dump agree: who differs is among those who left none, or left a collective out.
    const [one, ...more] = still && still.dumps.length > 1 ? suspectsIn(still) : [];
    const leaving = leavingIn(view);
    const odd =
      one === undefined || more.length > 0
        ? (sentenceApart(view)?.rank ?? wentOnAlone(view) ?? (leaving.length === 1 ? leaving[0]! : null))
        : one;
    return odd === null ? null : named(odd, null, null);
  }
  const [late, ...others] = isOver ? [] : notAtBarrier(view);
  if (late !== undefined) return others.length > 0 ? null : named(late, null, null);
  const awaited = unreachedAtStart(view) ?? awaitedAtStart(view) ?? unreachable(view);
  if (awaited !== null) return named(awaited, null, null);
  const dead = isOver ? null : (deathIn(view) ?? lostFirst(view));
  if (dead !== null) return named(dead, null, null);
  if (!isOver) {
    if (still?.circular) return null;
    const stoppage = stoppageIn(view);
    if (stoppage) {
      const [rank] = stoppage.ranks;
      // Several who wait for nobody: the dumps name the ranks, and none before the others.
      const call = still?.dumps.find((dump) => dump.rank === rank)?.calls.at(-1);
      const place = (stoppage.stack && ownFrame(stoppage.stack)) ?? call?.frame ?? null;
      const isOpen = stoppage.known !== 'dumps' && !areOfOneHost(record, stoppage.ranks);
      return isOpen ? null : named(rank!, place, null);
    }
  }
  const differing = whoDiffers(view, named);
  if (differing) return differing;
  const slowest = slowestIn(view) ?? tradeIn(record) ?? toldSlowest(view);
  if (slowest) return named(slowest.rank, null, null);
  const outlier = outlierIn(record);
  if (outlier) return named(outlier.ranks[0]!, null, null);
  const held = heldDownIn(view);
  if (held) return named(held.rank, null, null);
  const link = slowLinkIn(view);
  if (link) {
    const slow = view.record.device.filter(({ kind }) => kind === 'port_slow');
    const isKnown = link.ranks.length > 0 && areOfOneHost(record, link.ranks);
    const rank = isKnown ? link.ranks[0]! : ownerAmong(view, slow);
    return rank === null ? null : named(rank, null, null);
  }
  const last = latecomerIn(record);
  return last ? named(last.rank, last.frame, null) : null;
}

/** A single rank, or all on one host while there are others. */
function areOfOneHost(record: RunRecord, ranks: readonly number[]): boolean {
  const hosts = hostsIn(record);
  const here = new Set(ranks.map((rank) => hosts.get(rank) ?? null));
  return ranks.length === 1 || (here.size === 1 && !here.has(null) && new Set(hosts.values()).size > 1);
}

function firstAt(record: RunRecord, rank: number, place: Place, step: number | null): FirstRank {
  const seat = record.seats.find((entry) => entry.rank === rank);
  return {
    rank,
    host: seat?.host ?? null,
    device: seat?.device ?? null,
    step,
    file: place?.file ?? null,
    line: place?.line ?? null,
  };
}

/**
 * Where nothing else tells who was first, the line that shows a fault of a machine does: the rank that it is of, or one of the host that it
 * is of. Null where another rank or host says the same.
 */
export function firstByEvidence(view: RunView, { file, line }: Where): FirstRank | null {
  const { record, lines } = view;
  const told = lines.find(({ at }) => at.file === file && at.line === line);
  if (view.ending.kind === 'completed' || told === undefined) return null;
  const whose = (of: TextLine): number | null =>
    of.rank ?? suspectAmong(view, [mayOwn(record, of)], !namesDevice(of));
  const rank = whose(told);
  const alike = lines.filter((other) => unnumbered(other.text) === unnumbered(told.text));
  const isAlone = alike.every((other) => whose(other) === rank);
  return rank === null || !isAlone ? null : firstAt(record, rank, null, told.step);
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
  const ranks = [...hosts].flatMap(([rank, of]) => (of === host ? rank : [])).sort((a, b) => a - b);
  // The agent of the host names the worker that it saw fail.
  const seen = record.exits.find(
    ({ passing, rank, at }) => passing && rank !== null && ranks.includes(rank) && files.has(at.file),
  );
  if (seen) return seen.rank;
  const lost = failures.some(({ rank, at }) => rank !== null && !ranks.includes(rank) && !files.has(at.file));
  const speaking = speakingIn(record);
  return lost ? (ranks.find((rank) => speaking.has(rank)) ?? ranks[0]!) : null;
}

const takes: ReadonlySet<ExitReason> = new Set(['preempted', 'out_of_memory', 'node_failure']);

const ofDeath = /\b(?:killed (?:this|the|process|worker|task)|was killed|died|dead)\b/i;

/** The process that a kernel or launcher says was killed; else of whom on the only host or pod that a scheduler or kernel says it took away. */
function takenAway(view: RunView): number | null {
  const { record } = view;
  const told = record.exits
    .filter(({ rank, reason }) => rank === null && takes.has(reason))
    .map((exit) => ({ ...exit, text: withoutPlaceOfStep(exit.text) }));
  const lines = view.lines.filter(({ text }) => text.length < 2000 && ofDeath.test(text));
  const killed = new Set([...told, ...lines].flatMap((line) => ownerOfProcess(record, line) ?? []));
  if (killed.size > 0) return killed.size === 1 ? [...killed][0]! : null;
  const onHost = suspectAmong(
    view,
    told.map((exit) => mayOwn(record, exit)),
  );
  if (onHost !== null) return onHost;
  const units = new Map<string, number>();
  const see = (name: string, rank: number): void =>
    void units.set(name, Math.min(units.get(name) ?? rank, rank));
  for (const { rank, host } of record.seats) if (host !== null) see(host, rank);
  for (const { rank, at } of record.text.lines)
    if (rank !== null) see(at.file.replace(/^.*\/|\.[a-z]{1,6}$/gi, ''), rank);
  const ranks = [...units].flatMap(([name, rank]) =>
    /[a-z]/i.test(name) && told.some(({ text }) => hasWord(text, name)) ? rank : [],
  );
  return new Set(ranks).size === 1 ? ranks[0]! : null;
}

/** "Killed process 4021 (python)", on the host that says so. */
function ownerOfProcess(record: RunRecord, exit: Pick<TextLine, 'text' | 'at'>): number | null {
  const pid = /\b(?:process|pid|task)(?: id)?[ =:]{1,2}(\d{2,8})\b/i.exec(exit.text)?.[1];
  const host = hostOf(record, exit);
  const [one, ...more] = record.seats.filter(
    (seat) => pid !== undefined && seat.pid === Number(pid) && (host === null || seat.host === host),
  );
  return one && more.length === 0 ? one.rank : null;
}

/** One rank that is gone, or the first of a host that is. */
function goneFirst(record: RunRecord): number | null {
  const gone = goneIn(record);
  const hosts = new Set(gone.map((rank) => record.seats.find((seat) => seat.rank === rank)?.host ?? rank));
  return hosts.size === 1 ? gone[0]! : null;
}

/** Where the numbers of the ranks parted, or where one first was no number: there began what all of them raise alike. */
function whoDiffers(
  view: RunView,
  named: (rank: number, place: Place, step: number | null) => FirstRank,
): FirstRank | null {
  const drift = driftIn(view.record);
  if (drift && drift.rank !== null) return named(drift.rank, null, drift.step);
  const parted = valueApart(view);
  if (parted) return named(parted.rank, null, parted.line.step);
  const spoiled = firstSpoiled(view.record);
  if (spoiled) return named(spoiled.rank, null, spoiled.step);
  const other = saidToDiffer(view) ? sentenceApart(view) : null;
  return other && named(other.rank, null, null);
}

/** The same error on every rank began nowhere. */
function isOfAll({ record, failures }: RunView, own: Failure): boolean {
  const alike = new Set(
    failures
      .filter(({ type, message }) => type === own.type && unnumbered(message) === unnumbered(own.message))
      .map(({ rank }) => rank),
  );
  return alike.size > 1 && presentIn(record).every((rank) => alike.has(rank));
}

/** Each rank says its own numbers in the same sentence. */
function unnumbered(message: string): string {
  return message.replace(/\d+(?: \d+)*/g, '#');
}

/** Those without a dump; where all left one, a single rank that at least two others wait for. */
function suspectsIn({ missing, first, circular, groups }: Standstill): readonly number[] {
  if (missing.length > 0) return missing;
  return !circular && groups.some(({ waiting }) => waiting.length > 1) ? first : [];
}

/** Xids that a program causes by what it reads, writes or runs. */
export const ofPrograms: ReadonlySet<string | null> = new Set(['13', '31', '43', '45']);

/** The driver clears away what a process left that failed before: never the first report. */
const clearedAway = '45';

/** A device that reports a fault of its own, where it is known whose it is. */
function brokenDevice(view: RunView): number | null {
  const reports = view.record.device.flatMap((message) => (message.kind === 'xid' ? message : []));
  const faults = reports.filter(({ code }) => code !== clearedAway);
  return ownerAmong(
    view,
    faults.length > 0 ? faults : reports,
    faults.filter(({ code }) => !ofPrograms.has(code)),
  );
}

/** A device that a tool finds at fault, where it is known whose it is. */
function faultyDevice(view: RunView): number | null {
  return ownerAmong(
    view,
    view.record.device.filter(({ kind }) => faulty.has(kind)),
  );
}

/** A rank that ended without a word: by a signal that no launcher sends, or with a code of its own. */
export function deathIn({ record, failures }: RunView): number | null {
  const waited = new Set(failures.filter(isConsequence).map(({ rank }) => rank));
  for (const { kind, rank } of record.device) if (kind === 'collective_timeout') waited.add(rank);
  const ended = record.exits.filter(
    ({ rank, signal, code }) =>
      rank !== null &&
      !waited.has(rank) &&
      (signal === null ? code !== null && code !== 0 : !sentByLaunchers.has(signal)),
  );
  // Who was killed alone comes before those that aborted.
  const killed = ended.filter(wasKilled);
  const isOnly = new Set(killed.map(({ rank }) => rank)).size === 1 && ended[0]!.signal === 'SIGABRT';
  const dead = isOnly ? killed[0] : ended[0];
  if (dead === undefined) return null;
  // Where all ranks, or ranks of several hosts, ended with the same code or gave up alike, none was before the others.
  const alike = new Set(
    record.exits
      .filter(({ signal, code }) => signal === dead.signal && code === dead.code)
      .map(({ rank }) => rank),
  );
  const hosts = hostsIn(record);
  const isOfAll =
    presentIn(record).every((rank) => alike.has(rank)) ||
    new Set([...alike].map((rank) => hosts.get(rank ?? -1))).size > 1;
  const isLikeOthers = alike.size > 1 && !wasKilled(dead);
  return isLikeOthers && isOfAll ? null : dead.rank;
}
