// In which operation each rank gave up waiting, as its traceback shows. Ranks that gave up in different operations never waited for the
// same thing: the few are those that took another way.
import type { Failure } from '../../features/failures.js';
import type { RunView } from '../../features/view.js';
import type { RankStack, StackFrame } from '../../record/stack.js';
import { isConsequence, ranOut, wasKilled } from '../lost/consequence.js';
import { isOwnFile } from '../present/doing.js';
import { presentIn, ranksUpTo, sizeOf } from '../present/presence.js';
import { wholeStanding } from '../present/stacks.js';

export interface GivenUp {
  /** The smaller side; empty when no side is smaller. */
  readonly ranks: readonly number[];
  readonly operation: string;
  readonly others: string;
  readonly place: { readonly file: string; readonly line: number } | null;
}

const library = /(?:^|[/\\])torch[/\\]distributed[/\\]distributed_c10d\.py$/;
/** Gradients are averaged inside of the backward pass, in no line of Python. */
const backward = /(?:^|[/\\])torch[/\\]autograd[/\\](?:graph|__init__)\.py$/;

/**
 * Operations that let no rank go on before all have come. Messages, and operations with a root, let some ranks go ahead: these stand in
 * different ones without any fault. The start of a job is no operation.
 */
const together = /^_?(?:all_|barrier|monitored_barrier|reduce_scatter|backward)/;

/** With a root, these end at a rank only when somebody sent to it: who waits in vain for that is alone in it. */
const received = /^_?(?:broadcast|scatter)/;

interface Standing {
  /** Its rank, or where it told of itself. */
  readonly process: number | string;
  readonly operation: string;
  /** The line of the user's code. */
  readonly place: StackFrame | null;
  /** What that line says; null where only a stack shows it. */
  readonly code: string | null;
}

interface Side {
  readonly name: string;
  readonly processes: readonly Standing['process'][];
  readonly place: StackFrame | null;
  /** Whether it waits for all ranks; a smaller group waits for its own. */
  readonly ofAll: boolean;
}

/** Null unless at least two ranks gave up in different operations, or all stand in operations that never meet. */
export function givenUpIn({ failures, record, ending }: RunView): GivenUp | null {
  if (ending.kind === 'completed') return null;
  const lost = failures.filter((failure) => isConsequence(failure));
  const size = sizeOf(record);
  const isWhole = size > 1 && !record.exits.some(wasKilled);
  // Where somebody is gone, each of the others stops at the next thing it needs it for.
  const allTell = isWhole && isEach(lost.flatMap(processesOf), size);
  const told = lost.flatMap((failure) => {
    const standing = ofTraceback(failure, allTell);
    return standing ? processesOf(failure).map((process) => ({ ...standing, process })) : [];
  });
  // A stack of every rank shows where they stood before the first of them gave up.
  const stood = wholeStanding(record).flatMap(({ rank, stack }) => ofStack(rank, stack, told) ?? []);
  const allStood =
    isWhole &&
    isEach(
      stood.map(({ process }) => process),
      size,
    );
  // All of them waited, and nobody found a peer gone: who stands in another line waits for something else.
  const allWaited = allStood || (allTell && lost.every(({ message }) => ranOut.test(message)));
  const sides = sidesOf(allStood ? stood : told, allWaited);
  const [most, second] = sides.filter(({ ofAll }) => ofAll);
  if (most !== undefined && second !== undefined) {
    const isSmaller = most.processes.length > second.processes.length;
    const ranks = isSmaller ? second.processes.filter((process) => typeof process === 'number') : [];
    return { ranks, operation: second.name, others: most.name, place: second.place };
  }
  // A rank that is alone in a group waits for one that stands elsewhere; and who waits for all waits for those in groups too.
  const small = sides.find(
    ({ ofAll, processes }) => !ofAll && (processes.length === 1 || (allStood && most)),
  );
  const other = sides.find((side) => side !== small);
  return small && other && (allStood || allTell)
    ? { ranks: [], operation: small.name, others: other.name, place: small.place }
    : null;
}

function processOf({ rank, at }: Failure): Standing['process'] {
  return rank ?? `${at.file}:${at.line}`;
}

/** What several raised alike without a name is kept once and counted. */
function processesOf(failure: Failure): readonly Standing['process'][] {
  const process = processOf(failure);
  return typeof process === 'number' ? [process] : ranksUpTo(failure.count).map((at) => `${process} ${at}`);
}

/** Every rank, or as many processes as there are ranks. */
function isEach(processes: readonly Standing['process'][], size: number): boolean {
  const all = new Set(processes);
  const isKnown = ranksUpTo(size).every((rank) => all.has(rank));
  return isKnown || (all.size === size && [...all].some((process) => typeof process === 'string'));
}

/** Those with most processes first. */
function sidesOf(standing: readonly Standing[], byLine: boolean): readonly Side[] {
  const sides = new Map<
    string,
    { processes: Set<Standing['process']>; place: StackFrame | null; ofAll: boolean }
  >();
  for (const { process, operation, place, code } of standing) {
    const ofAll = code !== null && !/\bgroup\s*=/.test(code);
    const name = place && (byLine || !ofAll) ? `${operation} at ${place.file}:${place.line}` : operation;
    const side = sides.get(name) ?? { processes: new Set(), place, ofAll };
    sides.set(name, side);
    side.processes.add(process);
  }
  return [...sides]
    .map(([name, { processes, place, ofAll }]) => ({ name, processes: [...processes], place, ofAll }))
    .sort((a, b) => b.processes.length - a.processes.length);
}

function ofTraceback(failure: Failure, allTell: boolean): Standing | null {
  const { frames, message } = failure;
  const called = frames.findIndex(({ file }) => library.test(file));
  const at = called < 0 && allTell ? frames.findIndex(({ file }) => backward.test(file)) : called;
  const frame = frames[at];
  if (frame === undefined) return null;
  const operation = called < 0 ? 'backward' : frame.function;
  const isAwaited = allTell && received.test(operation) && ranOut.test(message);
  if (!together.test(operation) && !isAwaited) return null;
  const place = frames.slice(0, at).findLast(({ file }) => isOwnFile(file)) ?? null;
  return { process: processOf(failure), operation, place, code: place?.code ?? '' };
}

/** The line itself is told by the traceback that ended there. */
function ofStack(
  rank: number | null,
  { frames, at: { file, line } }: RankStack,
  told: readonly Standing[],
): Standing | null {
  const at = frames.findLastIndex(({ file, function: name }) => library.test(file) && together.test(name));
  const place = frames.slice(at + 1).find(({ file }) => isOwnFile(file));
  if (at < 0 || place === undefined) return null;
  const same = told.find((one) => one.place?.file === place.file && one.place.line === place.line);
  return {
    process: rank ?? `${file}:${line}`,
    operation: frames[at]!.function,
    place,
    code: same?.code ?? null,
  };
}

/** Every process of the job stood or gave up while it received a message, or every one while it sent: nobody was left for the other end. */
export function allReceive({ failures, record, ending }: RunView): boolean {
  if (ending.kind === 'completed' || record.exits.some(wasKilled)) return false;
  const stood = wholeStanding(record).map(({ rank, stack }) => ({
    process: rank ?? `${stack.at.file}:${stack.at.line}`,
    frames: stack.frames,
  }));
  const gaveUp = failures
    .filter((failure) => isConsequence(failure))
    .map((failure) => ({ process: processOf(failure), frames: failure.frames }));
  const size = Math.max(sizeOf(record), stood.length);
  const areIn = (operation: string): boolean =>
    [stood, [...stood, ...gaveUp]].some((all) =>
      isEach(
        all.flatMap(({ process, frames }) =>
          frames.find(({ file }) => library.test(file))?.function === operation ? process : [],
        ),
        size,
      ),
    );
  return size > 1 && (areIn('recv') || areIn('send'));
}

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
