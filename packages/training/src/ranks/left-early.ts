// The rank that left by itself, without an error, while the others still needed it: a launcher says that it ended well, or lists the end of
// every other worker and not of this one.
import type { RunView } from '../features/view.js';
import { isConsequence, ranOut, wasKilled } from './consequence.js';
import { ranksUpTo, sizeOf, speakingIn } from './presence.js';

/** Null where nobody lost a peer, where an error or a signal explains it, and where several left. */
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
