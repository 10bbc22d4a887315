// Ranks that somebody outside of the run says are gone: a kernel, a launcher, a scheduler or ncclras.
import type { RunView } from '../features/view.js';
import { hasWord } from '../readers/collect/seating.js';
import type { ExitReason } from '../record/exit.js';
import type { RunRecord, TextLine } from '../record/run-record.js';
import { isConsequence, leftByItself, wasKilled } from './consequence.js';
import { hostsIn, presentIn } from './presence.js';
import { hostOf, isOfHost, mayOwn, withoutPlaceOfStep } from './reported.js';
import { processOf, suspectAmong } from './suspect.js';

const takes: ReadonlySet<ExitReason> = new Set(['preempted', 'out_of_memory', 'node_failure']);

/** Said by others of a host that is no longer there; of the other end of a connection victims say as much. */
const hostIsGone =
  /^(?!.*\b(?:peer|remote (?:process|side|endpoint))\b).*(?:\bmarked (?:as )?dead\b|\bssh exited with exit code [1-9]|\bmissed too many heartbeats\b|\b(?:node|host|machine)\b.{0,60}\b(?:not respond\w*|unreachable|is down|went down|has died|was lost|failed)\b|\blost (?:communication|contact|connection) (?:to|with) (?:the )?(?:node|host|daemon|machine)\b|\bNodeNotReady\b|\bNODE_FAIL\b)/i;

const ofDeath = /\b(?:killed (?:this|the|process|worker|task)|was killed|died|dead)\b/i;

/** The process that a kernel or launcher says was killed; else of whom on the only host or pod that a scheduler or kernel says it took away. */
export function takenAway(view: RunView): number | null {
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
    // Which of several processes it was only their numbers tell.
    !told.some(({ text }) => processOf(text) !== null),
  );
  if (onHost !== null) return onHost;
  const units = new Map<string, number>();
  const see = (name: string, rank: number): void =>
    void units.set(name, Math.min(units.get(name) ?? rank, rank));
  for (const { rank, host } of record.seats) if (host !== null) see(host, rank);
  for (const { rank, at } of record.text.lines)
    if (rank !== null) see(at.file.replace(/^.*\/|\.[a-z]{1,6}$/gi, ''), rank);
  const gone = view.lines.filter(({ text }) => text.length < 2000 && hostIsGone.test(text));
  const ranks = [...units].flatMap(([name, rank]) => {
    const isNamed = ({ text }: { readonly text: string }): boolean => hasWord(text, name);
    const isUnit = /[a-z]/i.test(name) && told.some(isNamed);
    return isUnit || gone.some((line) => isNamed(line) && !isOfHost(line.at.file, name)) ? rank : [];
  });
  return new Set(ranks).size === 1 ? ranks[0]! : null;
}

/** "Killed process 4021 (python)", on the host that says so. */
function ownerOfProcess(record: RunRecord, exit: Pick<TextLine, 'text' | 'at'>): number | null {
  const pid = processOf(exit.text);
  const host = hostOf(record, exit);
  const [one, ...more] = record.seats.filter(
    (seat) =>
      pid !== null && seat.pid === Number(pid) && (host === null || seat.host === null || seat.host === host),
  );
  return one && more.length === 0 ? one.rank : null;
}

/** How a launcher ends the ranks that are left. */
const sentByLaunchers: ReadonlySet<string> = new Set(['SIGTERM', 'SIGINT', 'SIGHUP']);

/** A rank that ended without a word: by a signal that no launcher sends, or with a code of its own. */
export function deathIn({ record, failures }: RunView): number | null {
  const waited = new Set(failures.filter(isConsequence).map(({ rank }) => rank));
  for (const { kind, rank } of record.device) if (kind === 'collective_timeout') waited.add(rank);
  // An exception of Python's ends a process with this code: where nothing says who complains of others, it may be one of them.
  const mayComplain = waited.has(null) ? 1 : null;
  const ended = firstBefore(record.exits).filter(
    ({ rank, signal, code }) =>
      rank !== null &&
      !waited.has(rank) &&
      (signal === null ? code !== null && code !== 0 && code !== mayComplain : !sentByLaunchers.has(signal)),
  );
  // Who was killed alone comes before those that aborted.
  const killed = ended.filter(wasKilled);
  const isOnly = new Set(killed.map(({ rank }) => rank)).size === 1 && ended[0]!.signal === 'SIGABRT';
  const dead = isOnly ? killed[0] : ended[0];
  if (dead === undefined) return null;
  // A library aborts its process when a peer is gone.
  const areOthers =
    waited.size > 0 ||
    record.exits.some(({ rank, signal, code }) => rank !== dead.rank && signal === null && (code ?? 0) > 0);
  if (dead.signal === 'SIGABRT' && areOthers) return null;
  // Where all ranks, or ranks of several hosts, ended with the same code or gave up alike, none was before the others.
  const alike = new Set(
    record.exits
      .filter(({ signal, code }) => signal === dead.signal && code === dead.code)
      .flatMap(({ rank }) => rank ?? []),
  );
  const hosts = hostsIn(record);
  const isOfAll =
    presentIn(record).every((rank) => alike.has(rank)) ||
    new Set([...alike].map((rank) => hosts.get(rank))).size > 1;
  const isLikeOthers = alike.size > 1 && !wasKilled(dead);
  return isLikeOthers && isOfAll ? null : dead.rank;
}

/** Those that a launcher saw end before the others. */
function firstBefore(exits: RunRecord['exits']): RunRecord['exits'] {
  return [...exits.filter(({ isFirst }) => isFirst), ...exits.filter(({ isFirst }) => !isFirst)];
}

/**
 * The rank that a launcher saw fail first: who lost it failed later. torchrun lists those that it finds dead at once in the order of their
 * numbers: there only an earlier time tells.
 */
export function firstToLeave({ record }: RunView): number | null {
  const left = firstBefore(record.exits).filter(leftByItself);
  const [first] = left;
  if (first === undefined || left.some(({ at }) => at.file !== first.at.file)) return null;
  const others = left.filter(({ rank }) => rank !== first.rank);
  if (others.length === 0 || first.source !== 'torchrun') return first.rank;
  const timeOf = (rank: number | null): number =>
    left.find((exit) => exit.rank === rank && exit.time !== null && !exit.passing)?.time ?? Number.NaN;
  const isEarlier = others.every(({ rank }) => timeOf(first.rank) < timeOf(rank));
  const isOutOfOrder = first.isFirst && others.some(({ rank }) => rank! < first.rank!);
  return isEarlier || isOutOfOrder ? first.rank : null;
}
