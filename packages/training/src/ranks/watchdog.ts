// What each rank's watchdog gave up in: ranks that wait in the same turn for different things will never meet.
import type { RunView } from '../features/view.js';
import type { CollectiveTimeoutMessage } from '../record/run-record.js';
import { type OddOne, oddOne } from './odd-one.js';

/** The one rank that was in another operation than all others, or gave another number of elements. Messages between two ranks are not compared. */
export function oddInWatchdog({ record }: RunView): OddOne<string> | null {
  const told = new Map<number, CollectiveTimeoutMessage>();
  for (const message of record.device)
    if (message.kind === 'collective_timeout' && message.rank !== null && message.sequence !== null)
      if (!told.has(message.rank)) told.set(message.rank, message);
  const all = [...told.values()];
  const isOneTurn = new Set(all.map(({ sequence }) => sequence)).size === 1;
  if (!isOneTurn || all.some(({ operation }) => operation === null || /SEND|RECV/i.test(operation)))
    return null;
  const of = (word: (message: CollectiveTimeoutMessage) => string): OddOne<string> | null =>
    oddOne(new Map([...told].map(([rank, message]) => [rank, word(message)])));
  return (
    of(({ operation }) => operation!) ??
    of(({ operation, elements }) => `${operation} of ${elements} elements`)
  );
}
