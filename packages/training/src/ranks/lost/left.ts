// The rank that ended before the others: by an error, by a signal, or without either, as launchers and schedulers saw it end.
import type { RunView } from '../../features/view.js';
import type { RunRecord } from '../../record/run-record.js';
import { hostsIn, presentIn, ranksUpTo, sizeOf, speakingIn } from '../present/presence.js';
import { isConsequence, leftByItself, ranOut, wasKilled } from './consequence.js';

/**
 * The rank that left by itself, without an error, while the others still needed it: a launcher says that it ended well, or lists the end of
 * every other worker and not of this one. Null where nobody lost a peer, where an error or a signal explains it, and where several left.
 */
export function leftEarly({ record, failures, ending }: RunView): number | null {
  if (ending.kind === 'completed' || failures.length === 0 || !failures.every(isConsequence)) return null;
  if (record.exits.some(wasKilled)) return null;
  const ended = record.exits.filter(({ rank }) => rank !== null);
  const complaining = new Set(failures.map(({ rank }) => rank));
  const well = new Set(
    ended.flatMap(({ rank, code, signal }) => (signal === null && code === 0 ? rank! : [])),
  );
  const speaking = speakingIn(record);
  // A worker that its launcher neither ended nor saw fail was gone before: the others found its connections closed, and did not wait in vain.
  const listed = new Set(ended.flatMap(({ rank, source }) => (source === 'torchrun' ? rank! : [])));
  const isClosed = listed.size > 1 && !failures.some(({ message }) => ranOut.test(message));
  const unlisted = !isClosed ? [] : ranksUpTo(sizeOf(record)).filter((rank) => !listed.has(rank));
  const [one, ...more] = (well.size > 0 ? [...well] : unlisted).filter((rank) => !complaining.has(rank));
  return one !== undefined && more.length === 0 && speaking.has(one) ? one : null;
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
