// Whose file it is that names no rank, as its name or its first lines say beside those of the others: "dmesg_cn204.txt" is of the only rank
// on cn204, and "worker-2.log" is of rank 2 where "worker-1.log" is of rank 1.
import { once } from '../../features/once.js';
import { isConsequence } from '../../ranks/lost/consequence.js';
import type { Seat } from '../../record/seat.js';
import { calledIn } from '../console/ranks/rank-mark.js';
import type { FileRecord } from './file-record.js';
import { baseOf, isNamedBy, numberOf } from './names.js';
import {
  areOneJob,
  indexesOf,
  introducedAs,
  partOf,
  shiftOfCounted,
  stoppedTogether,
  wholeOf,
} from './one-job.js';
import type { Told } from './seats.js';

/** The lines of a file. */
type Said = ReadonlyMap<string, readonly string[]>;

/** The only rank that a file can be of. */
export function ownersOf(
  files: readonly FileRecord[],
  told: Told,
  said: Said,
  seats: readonly Seat[],
): ReadonlyMap<string, number> {
  const owners = new Map([
    ...indexed(files, told, said),
    ...ofIntroduced(files, told, said),
    ...ofMarked(files, told),
    ...ofStacks(files, told),
  ]);
  const numbered = numberedBy(files, told, said, seats);
  for (const { file } of files) {
    if ((told.get(file)?.size ?? 0) > 0 || owners.has(file)) continue;
    const here = seats.filter(({ host }) => host !== null && isNamedBy(file, host));
    // "pyspy_gn07_local3.txt"
    const local = /(?:local|gpu|cuda)(?:[-_]?rank)?[-_]?(\d{1,3})(?!\d)/i.exec(baseOf(file))?.[1];
    const [seat, ...more] =
      local === undefined ? here : here.filter(({ device }) => device === Number(local));
    const owner = seat && more.length === 0 ? seat.rank : here.length === 0 ? numbered(file) : null;
    if (owner !== null) owners.set(file, owner);
  }
  return owners;
}

/** Files of processes that say themselves which of how many they are, where nothing else tells of ranks. */
function indexed(files: readonly FileRecord[], told: Told, said: Said): ReadonlyMap<string, number> {
  const telling = files.filter(({ file }) => (said.get(file)?.length ?? 0) > 0);
  const isOnePerRank = telling.every(({ worldSize }) => worldSize === null || worldSize === telling.length);
  if (telling.length < 2 || !isOnePerRank || [...told.values()].some((here) => here.size > 0))
    return new Map();
  const places =
    indexesOf(telling.map((file) => partOf(file, said.get(file.file)!))) ??
    wholeOf(telling.map(({ file }) => onlyCalled(said.get(file)!)));
  return new Map(places?.map((rank, at) => [telling[at]!.file, rank]));
}

/** What a process calls itself in the first lines of its file; null where these are several. */
function onlyCalled(lines: readonly string[]): number | null {
  const [one = null, ...more] = new Set(lines.slice(0, 60).flatMap((line) => calledIn(line) ?? []));
  return more.length === 0 ? one : null;
}

/** Each of several files begins with another rank of the same number of ranks, and holds lines of no other. */
function ofIntroduced(files: readonly FileRecord[], told: Told, said: Said): (readonly [string, number])[] {
  const found = files.flatMap(({ file }) => {
    const as = introducedAs(said.get(file) ?? []);
    return as === null ? [] : [{ file, ...as }];
  });
  const isOne = new Set(found.map(({ size }) => size)).size === 1;
  const isEach = new Set(found.map(({ rank }) => rank)).size === found.length;
  return found.length > 1 && isOne && isEach
    ? found.flatMap(({ file, rank }) =>
        [...(told.get(file) ?? [])].every((other) => other === rank) ? [[file, rank] as const] : [],
      )
    : [];
}

/** Each of several files has lines of one rank alone, and none is left out: what names no rank in it, such as a stack, is of this one too. */
function ofMarked(files: readonly FileRecord[], told: Told): (readonly [string, number])[] {
  const found = files.filter(({ file }) => (told.get(file)?.size ?? 0) > 0);
  const places = wholeOf(
    found.map(({ file }) => {
      const [rank = null, ...more] = told.get(file)!;
      return more.length === 0 ? rank : null;
    }),
  );
  // A launcher tells of its workers in the log of whichever.
  return (places ?? []).flatMap((rank, at) =>
    found[at]!.exits.length > 0 ? [] : [[found[at]!.file, rank] as const],
  );
}

/** Files that hold a stack of one process each, where the last numbers of their names count all ranks: "gn07.stage2.stacks", "stack.3.txt". */
function ofStacks(files: readonly FileRecord[], told: Told): (readonly [string, number])[] {
  const found = files.flatMap(({ file, stacks }) => {
    const number = /(\d{1,5})\D*$/.exec(baseOf(file))?.[1];
    return stacks.size === 1 && number !== undefined && !told.get(file)?.size
      ? [[file, Number(number)] as const]
      : [];
  });
  const numbers = new Set(found.map(([, number]) => number));
  const isEach = numbers.size === found.length && Math.max(...numbers) === found.length - 1;
  const isAll = [...told.values()].every((here) => [...here].every((rank) => numbers.has(rank)));
  return isEach && isAll ? found : [];
}

/** Files that differ in one number alone. */
interface Family {
  /** What stands before the number. */
  readonly front: string;
  readonly isOfProcesses: boolean;
  readonly files: FileRecord[];
  readonly numbers: Set<number>;
  /** How far the number is from the rank, of those that name one; null where they name several. */
  readonly shifts: (number | null)[];
}

function familiesOf(files: readonly FileRecord[], told: Told): ReadonlyMap<string, Family> {
  const families = new Map<string, Family>();
  const seen = new Set<string>();
  for (const file of files) {
    const found = numberOf(file.file);
    if (found === null) continue;
    const { front, number } = found;
    const known = families.get(found.family);
    const isOfProcesses = ofProcess.test(file.file);
    const family = known ?? { front, isOfProcesses, files: [], numbers: new Set(), shifts: [] };
    families.set(found.family, family);
    family.files.push(file);
    family.numbers.add(number);
    const [rank, ...more] = told.get(file.file) ?? [];
    if (rank !== undefined && !seen.has(file.file))
      family.shifts.push(more.length > 0 ? null : rank - number);
    seen.add(file.file);
  }
  return families;
}

/**
 * Of files that differ in one number alone each is of the rank that its number says, when it is for all that name a rank. Where none of
 * them names one, they are counted from 0 on and are as many as the ranks that other files tell of; where nothing names any, what they say
 * shows that they are of one job.
 */
function numberedBy(
  files: readonly FileRecord[],
  told: Told,
  said: Said,
  seats: readonly Seat[],
): (file: string) => number | null {
  const ranks = new Set([
    ...[...told.values()].flatMap((here) => [...here]),
    ...seats.map(({ rank }) => rank),
  ]);
  const families = familiesOf(files, told);
  const shiftOfJob = once(({ front, isOfProcesses }: Family): number | null => {
    // "train-0.out" and "train-0.err" are of one process.
    const beside = [...families.values()].filter((other) => other.front === front);
    const shift =
      ranks.size > 0 ? null : shiftOfCounted(new Set(beside.flatMap(({ numbers }) => [...numbers])));
    if (shift === null) return null;
    const isLost = beside.some((kind) => kind.files.some(lostOthers));
    const isOne =
      (isOfProcesses && isLost) ||
      beside
        .map((kind) => kind.files.map((file) => partOf(file, said.get(file.file) ?? [])))
        .some((parts) => (isLost && stoppedTogether(parts)) || areOneJob(parts));
    return isOne ? shift : null;
  });
  const isOnePerRank = ({ numbers }: Family): boolean =>
    ranks.size > 1 && numbers.size === ranks.size && [...numbers].every((number) => ranks.has(number));
  // Where ranks are told of, files that are named by processes count them: "worker-0.log" and so on, and none is left out.
  const isCounted = ({ numbers, isOfProcesses }: Family): boolean =>
    isOfProcesses &&
    ranks.size > 0 &&
    shiftOfCounted(numbers) === 0 &&
    [...ranks].every((rank) => numbers.has(rank));
  const shiftOf = (family: Family): number | null => {
    const [shift = null, ...more] = family.shifts;
    if (shift !== null) return more.length > 0 && more.every((other) => other === shift) ? shift : null;
    if (family.shifts.length > 0) return null;
    return isOnePerRank(family) || isCounted(family) ? 0 : shiftOfJob(family);
  };
  return (file) => {
    const found = numberOf(file);
    const shift = found && shiftOf(families.get(found.family)!);
    return found === null || shift === null || found.number + shift < 0 ? null : found.number + shift;
  };
}

/** A process that only lost others was one of several. */
function lostOthers({ tracebacks }: FileRecord): boolean {
  return tracebacks.length > 0 && tracebacks.every(({ chain }) => isConsequence(chain[0]!));
}

const ofProcess = /(?:^|[-_./])(?:worker|proc|process|task|trainer|replica|rank|gpu)[-_.]?\d{1,6}[^\d/]*$/i;
