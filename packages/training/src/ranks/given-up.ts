// In which operation each rank gave up waiting, as its traceback shows. Ranks that gave up in different operations never waited for the
// same thing: the few are those that took another way.
import type { RunView } from '../features/view.js';
import { isConsequence, wasKilled } from './consequence.js';
import { isOwnFile } from './doing.js';
import { ranksUpTo, sizeOf } from './presence.js';

export interface GivenUp {
  /** The smaller side; empty when no side is smaller. */
  readonly ranks: readonly number[];
  readonly operation: string;
  readonly others: string;
  readonly place: { readonly file: string; readonly line: number } | null;
}

const library = /[/\\]torch[/\\]distributed[/\\]distributed_c10d\.py$/;
/** Gradients are averaged inside of the backward pass, in no line of Python. */
const backward = /[/\\]torch[/\\]autograd[/\\](?:graph|__init__)\.py$/;

/**
 * Operations that let no rank go on before all have come. Messages, and operations with a root, let some ranks go ahead: these stand in
 * different ones without any fault. The start of a job is no operation.
 */
const together = /^_?(?:all_|barrier|monitored_barrier|reduce_scatter|backward)/;

/** With a root, these end at a rank only when somebody sent to it: who waits in vain for that is alone in it. */
const received = /^_?(?:broadcast|scatter)/;

const ranOut = /\btim(?:ed|e) ?out\b/i;

/** Null unless at least two ranks gave up in different operations. */
export function givenUpIn({ failures, record }: RunView): GivenUp | null {
  const telling = new Set(failures.filter(isConsequence).map(({ rank }) => rank));
  // Where somebody is gone, each of the others stops at the next thing it needs it for.
  const allAreThere =
    !record.exits.some(wasKilled) && ranksUpTo(sizeOf(record)).every((rank) => telling.has(rank));
  // All of them waited, and nobody found a peer gone: who stands in another line waits for something else.
  const allWaited =
    allAreThere && failures.every((failure) => !isConsequence(failure) || ranOut.test(failure.message));
  const sides = new Map<string, { rank: number; place: GivenUp['place'] }[]>();
  for (const failure of failures) {
    if (failure.rank === null || !isConsequence(failure)) continue;
    const called = failure.frames.findIndex(({ file }) => library.test(file));
    const at =
      called < 0 && allAreThere ? failure.frames.findIndex(({ file }) => backward.test(file)) : called;
    const frame = failure.frames[at];
    if (frame === undefined) continue;
    const operation = called < 0 ? 'backward' : frame.function;
    const isAwaited = allAreThere && received.test(operation) && ranOut.test(failure.message);
    if (!together.test(operation) && !isAwaited) continue;
    const place = failure.frames.slice(0, at).findLast(({ file }) => isOwnFile(file)) ?? null;
    // Ranks of a smaller group wait for their own.
    if (/\bgroup\s*=/.test(place?.code ?? '')) continue;
    const name = allWaited && place ? `${operation} at ${place.file}:${place.line}` : operation;
    const side = sides.get(name) ?? [];
    sides.set(name, side);
    // The same error may stand in several files.
    if (!side.some(({ rank }) => rank === failure.rank)) side.push({ rank: failure.rank, place });
  }
  if (sides.size < 2) return null;
  const [most, second] = [...sides].sort(([, a], [, b]) => b.length - a.length) as [
    [string, { rank: number; place: GivenUp['place'] }[]],
    [string, { rank: number; place: GivenUp['place'] }[]],
  ];
  const settled = most[1].length > second[1].length;
  return {
    ranks: settled ? second[1].map(({ rank }) => rank) : [],
    operation: second[0],
    others: most[0],
    place: second[1][0]!.place,
  };
}

/** Every rank of the job stood or gave up while it received a message: nobody was left to send one. */
export function allReceive({ failures, record }: RunView): boolean {
  const receiving = new Set(
    failures
      .filter((failure) => isConsequence(failure))
      .filter(
        ({ frames }) =>
          frames.find(({ file }) => library.test(file) && !/c10d_logger/.test(file))?.function === 'recv',
      )
      .map(({ rank }) => rank),
  );
  for (const { rank, frames } of record.stacks)
    if (frames.find(({ file }) => library.test(file))?.function === 'recv') receiving.add(rank);
  const size = sizeOf(record);
  return size > 1 && !record.exits.some(wasKilled) && ranksUpTo(size).every((rank) => receiving.has(rank));
}
