// The start of a job: ranks meet in a store that one of them holds. Who could not reach it comes before those who reached it and waited.
import type { RunView } from '../features/view.js';

const couldNotReach =
  /(?:while trying to connect to|failed to connect\b[^\n]{0,40}? to host|Unable to find address for\b)/i;
const waited = /wait timeout after \d+ ?ms, keys|waiting for clients|clients joined/i;

/** Null unless one rank did not reach the store and another did. */
export function unreachedAtStart({ record, failures, lines }: RunView): number | null {
  if (record.lastStep !== null) return null;
  const told = [
    ...failures.map(({ rank, text }) => ({ rank, text })),
    ...lines.filter(({ text }) => text.length < 2000),
  ];
  const outside = new Set(told.filter(({ text }) => couldNotReach.test(text)).map(({ rank }) => rank));
  const inside = told.some(({ rank, text }) => waited.test(text) && (rank === null || !outside.has(rank)));
  const [one, ...more] = outside;
  return inside && more.length === 0 ? (one ?? null) : null;
}

/** Ranks announce themselves in the store under their number: the key that all wait for names the one that did not come. */
export function awaitedAtStart({ record, failures }: RunView): number | null {
  if (record.lastStep !== null) return null;
  const keys = new Set<number>();
  for (const { message } of failures) {
    const key = /wait timeout after \d+ ?ms, keys: \S*\/(\d+)\b/.exec(message)?.[1];
    if (key !== undefined) keys.add(Number(key));
  }
  const [one, ...more] = keys;
  // A rank that waits in the store is there; that its own key is missing has the same cause.
  const isThere = failures.some(({ rank, text }) => rank === one && waited.test(text));
  return one === undefined || more.length > 0 || isThere ? null : one;
}
