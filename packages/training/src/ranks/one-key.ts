// All ranks ask the store for a key that none of them sets: each gave up in the same line of the program, so none came past it.
import type { RunView } from '../features/view.js';
import { isConsequence } from './consequence.js';
import { isOwnFile } from './doing.js';
import { presentIn } from './presence.js';

const asked = /\bwait timeout after \d+ ?ms, keys: (\S+)/i;

/** The key; null unless every rank complains from one line of the program, and those that tell of a key of the same one. */
export function keyOfNone({ failures, record, ending }: RunView): string | null {
  if (ending.kind === 'completed') return null;
  const [places, keys, ranks] = [new Set<string>(), new Set<string>(), new Set<number>()];
  for (const failure of failures) {
    const last = failure.frames.at(-1);
    if (last === undefined || failure.rank === null || !isOwnFile(last.file) || !isConsequence(failure))
      return null;
    places.add(`${last.file}:${last.line}`);
    ranks.add(failure.rank);
    const key = asked.exec(failure.message)?.[1];
    if (key !== undefined) keys.add(key);
  }
  const isEach = ranks.size > 1 && presentIn(record).every((rank) => ranks.has(rank));
  return isEach && places.size === 1 && keys.size === 1 ? [...keys][0]! : null;
}
