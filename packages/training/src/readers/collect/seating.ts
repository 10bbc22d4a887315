// Where ranks ran and whose file it is, as the names of the files beside each other say: "dmesg_cn204.txt" is of the rank that wrote
// "cn204_rank2.log" or that srun started on cn204, and "worker-2.log" is of rank 2 where "worker-1.log" is of rank 1.
import { isConsequence } from '../../ranks/lost/consequence.js';
import { type Seat, seated } from '../../record/seat.js';
import { stemOf } from '../input/part-names.js';
import type { FileRecord } from './file-record.js';
import { baseOf, familyOf } from './names.js';
import {
  areOneJob,
  indexesOf,
  introducedAs,
  numberOf,
  partOf,
  shiftOfCounted,
  stoppedTogether,
} from './one-job.js';
import { isHost } from './places.js';

export interface Seating {
  readonly seats: readonly Seat[];
  /** The only rank that a file can be of, though it names none. */
  readonly owners: ReadonlyMap<string, number>;
}

/** `told`: the ranks that the lines of a file are of; `said`: the lines of a file. */
export function seatingOf(
  files: readonly FileRecord[],
  told: ReadonlyMap<string, ReadonlySet<number>>,
  said: ReadonlyMap<string, readonly string[]>,
): Seating {
  const seats = new Map<number, Seat>();
  const see = (seat: Seat): void => void seats.set(seat.rank, seated(seats.get(seat.rank), seat));
  for (const file of files) for (const seat of file.seats.values()) see(seat);
  const nodeOf = numberedNodes(files);
  for (const seat of seatsOfTasks(files, told)) see(seat);
  for (const file of files) for (const seat of seatsOfNode(file, nodeOf)) see(seat);
  for (const [host, ranks] of hostsOf(told))
    for (const rank of ranks) see({ rank, host, device: null, pid: null });
  for (const seat of seatsThrough(files, told)) see(seat);
  for (const seat of seatsInBlocks([...seats.values()])) see(seat);
  for (const seat of seatsOfDevices(files, told, [...seats.values()])) see(seat);
  const ordered = inOneSpelling([...seats.values()].sort((a, b) => a.rank - b.rank));
  const owners = new Map<string, number>();
  const numbered = numberedBy(files, told, said, seats.keys());
  for (const [file, rank] of [
    ...indexed(files, told, said),
    ...ofIntroduced(files, told, said),
    ...ofStacks(files, told),
  ])
    owners.set(file, rank);
  for (const { file } of files) {
    if ((told.get(file)?.size ?? 0) > 0 || owners.has(file)) continue;
    const here = ordered.filter(({ host }) => host !== null && isNamedBy(file, host));
    // "pyspy_gn07_local3.txt"
    const local = /(?:local|gpu|cuda)(?:[-_]?rank)?[-_]?(\d{1,3})(?!\d)/i.exec(baseOf(file))?.[1];
    const [seat, ...more] =
      local === undefined ? here : here.filter(({ device }) => device === Number(local));
    const owner = seat && more.length === 0 ? seat.rank : here.length === 0 ? numbered(file) : null;
    if (owner !== null) owners.set(file, owner);
  }
  return { seats: ordered, owners };
}

/** Files are named by more than their host: "n1_gn12" is gn12 where a launcher calls a host so. */
function inOneSpelling(seats: readonly Seat[]): Seat[] {
  const hosts = [...new Set(seats.flatMap(({ host }) => host ?? []))];
  const spelled = new Map(
    hosts.map((host) => {
      const [other, ...more] = hosts.filter((name) => name !== host && hasWord(host, name));
      return [host, other === undefined || more.length > 0 ? host : other];
    }),
  );
  return seats.map((seat) => (seat.host === null ? seat : { ...seat, host: spelled.get(seat.host)! }));
}

/** What all names have in common is of the files: "logs_trainer-2" is of "trainer-2" where "logs_trainer-0" lies beside it. */
function bareNames(names: readonly string[]): ReadonlyMap<string, string> {
  const parts = names.map((name) => name.split('_'));
  const length = Math.min(...parts.map((part) => part.length));
  const isAlike = parts.every((part) => part.length === length);
  const differing = Array.from({ length: isAlike ? length : 0 }, (_, at) => parts.map((part) => part[at]!))
    .filter((here) => new Set(here).size === names.length && here.every((word) => /^[A-Za-z]/.test(word)))
    .filter((here) => here.every(isHost))
    .sort((a, b) => b[0]!.length - a[0]!.length);
  return new Map(names.map((name, at) => [name, differing[0]?.[at] ?? name]));
}

/** Files of processes that say themselves which of how many they are, where nothing else tells of ranks. */
function indexed(
  files: readonly FileRecord[],
  told: ReadonlyMap<string, ReadonlySet<number>>,
  said: ReadonlyMap<string, readonly string[]>,
): ReadonlyMap<string, number> {
  const telling = files.filter(({ file }) => (said.get(file)?.length ?? 0) > 0);
  const isOnePerRank = telling.every(({ worldSize }) => worldSize === null || worldSize === telling.length);
  if (telling.length < 2 || !isOnePerRank || [...told.values()].some((here) => here.size > 0))
    return new Map();
  const places = indexesOf(telling.map((file) => partOf(file, said.get(file.file)!)));
  return new Map(places?.map((rank, at) => [telling[at]!.file, rank]));
}

/** Each of several files begins with another rank of the same number of ranks, and holds lines of no other. */
function ofIntroduced(
  files: readonly FileRecord[],
  told: ReadonlyMap<string, ReadonlySet<number>>,
  said: ReadonlyMap<string, readonly string[]>,
): (readonly [string, number])[] {
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

/** Files that hold a stack of one process each, where the last numbers of their names count all ranks: "gn07.stage2.stacks", "stack.3.txt". */
function ofStacks(
  files: readonly FileRecord[],
  told: ReadonlyMap<string, ReadonlySet<number>>,
): (readonly [string, number])[] {
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

/** Whether a scheduler started a launcher on each host, which started the ranks: its tasks are no ranks then. */
export function areAgents(files: readonly FileRecord[]): boolean {
  return files.some(({ tasks }) => tasks.size > 0) && files.some(({ workers }) => workers > 1);
}

/**
 * Ranks are counted through hosts that are counted themselves, as many on each: one that tells of no rank has those between its neighbours'.
 * Where nothing tells of ranks, the devices of each host are as many.
 */
function seatsThrough(files: readonly FileRecord[], told: ReadonlyMap<string, ReadonlySet<number>>): Seat[] {
  const families = new Map<string, Map<string, FileRecord[]>>();
  for (const file of files.filter(({ text }) => text.lines > 0))
    for (const name of [
      baseOf(file.file).replace(/(?:\.[a-z]{1,6})+$/i, ''),
      file.file.split('/').at(-2) ?? '',
    ]) {
      const family = familyOf(name);
      if (!family.includes('#') || !isHost(name)) continue;
      const units = families.get(family) ?? new Map<string, FileRecord[]>();
      families.set(family, units);
      units.set(name, [...(units.get(name) ?? []), file]);
    }
  return [...families.values()].flatMap((units) => {
    const hosts = [...units].sort(([a], [b]) => a.localeCompare(b, 'en', { numeric: true }));
    const each = ranksOnEach(
      hosts.map(([, here]) => here.flatMap(({ file }) => [...(told.get(file) ?? [])])),
      hosts.map(([, here]) => Math.max(...here.map(({ devices }) => devices))),
    );
    if (each < 2) return [];
    const bare = bareNames(hosts.map(([name]) => name));
    return hosts.flatMap(([name, here], at) => {
      const host = bare.get(name)!;
      const known = here.flatMap(({ file }) => [...(told.get(file) ?? [])]);
      const ranks = known.length > 0 ? known : Array.from({ length: each }, (_, nth) => at * each + nth);
      return ranks.map((rank) => ({ rank, host, device: null, pid: null }));
    });
  });
}

/** How many ranks each host has, given those that it tells of; 0 where these do not fit or leave it open. */
function ranksOnEach(told: readonly (readonly number[])[], devices: readonly number[]): number {
  if (told.length < 2) return 0;
  if (told.every((ranks) => ranks.length === 0))
    return devices.every((count) => count === devices[0]) ? devices[0]! : 0;
  const least = Math.max(...told.map((ranks, at) => Math.floor(Math.max(-1, ...ranks) / (at + 1)) + 1));
  const most = Math.min(
    ...told.map((ranks, at) => (at === 0 ? Infinity : Math.floor(Math.min(...ranks) / at))),
  );
  const fitting = [2, 4, 8, 16].filter((count) => count >= least && count <= most);
  return least === most ? least : fitting.length === 1 && Number.isFinite(most) ? fitting[0]! : 0;
}

/** Ranks are counted through the hosts, as many on each: a host that tells of some has those beside them, and each the device of its place. */
function seatsInBlocks(seats: readonly Seat[]): Seat[] {
  const hosts = new Map<string, number[]>();
  for (const { rank, host } of inOneSpelling(seats))
    if (host !== null) hosts.set(host, [...(hosts.get(host) ?? []), rank]);
  const seen = [...hosts.values()];
  const last = Math.max(...seen.flat());
  const blocksOf = (each: number): Set<number>[] =>
    seen.map((ranks) => new Set(ranks.map((rank) => Math.floor(rank / each))));
  // Of most ranks something is known: few hosts of many fit any number.
  const each = [Math.max(...seen.map((ranks) => ranks.length)), 2, 4, 8, 16].find((count) => {
    const blocks = blocksOf(count);
    const isOneEach = blocks.every((here) => here.size === 1);
    const isOther = seats.some(({ rank, device }) => device !== null && device !== rank % count);
    return (
      count > 1 &&
      isOneEach &&
      !isOther &&
      new Set(blocks.map(([block]) => block)).size === blocks.length &&
      count * hosts.size * 2 > last
    );
  });
  if (hosts.size < 2 || each === undefined) return [];
  return [...hosts].flatMap(([host, [first]]) => {
    const from = first! - (first! % each);
    return Array.from({ length: each }, (_, device) => ({ rank: from + device, host, device, pid: null }));
  });
}

/** Which device of a host a rank has, and where it sits: as its seat says, else its own number where there is only one host. */
function seatsOfDevices(
  files: readonly FileRecord[],
  told: ReadonlyMap<string, ReadonlySet<number>>,
  seats: readonly Seat[],
): Seat[] {
  const hosts = new Set(seats.flatMap(({ host }) => host ?? []));
  const ranks = new Set([
    ...seats.map(({ rank }) => rank),
    ...[...told.values()].flatMap((here) => [...here]),
  ]);
  return files.flatMap(({ file, buses }) => {
    const [host = null, ...more] = [...hosts].filter((name) => isNamedBy(file, name));
    const isOnly = hosts.size < 2 && Math.max(...ranks) < buses.size;
    if (buses.size === 0 || more.length > 0 || (host === null && !isOnly)) return [];
    const here = [...ranks].flatMap(
      (rank) => seats.find((seat) => seat.rank === rank) ?? { rank, host: null, device: null, pid: null },
    );
    return here.flatMap((seat) => {
      const device = seat.device ?? (isOnly ? seat.rank : null);
      if ((host !== null && seat.host !== host && !isOnly) || device === null) return [];
      return { ...seat, device, bus: buses.get(device) ?? null };
    });
  });
}

/** Launchers of as many hosts whose logs are counted as the hosts are: "worker-0.log", "worker-2.log". */
function numberedNodes(files: readonly FileRecord[]): ReadonlyMap<string, number> {
  const launched = files.filter(({ nodes, node }) => nodes > 1 && node === null);
  const found = launched.map((file) => ({ ...file, at: numberOf(file.file) }));
  const families = new Set(found.map(({ at, nodes }) => `${at?.family} ${nodes}`));
  const isCounted = found.every(({ at, nodes }) => at !== null && at.number < nodes);
  return new Map(
    found.length > 1 && families.size === 1 && isCounted
      ? found.map(({ file, at }) => [file, at!.number])
      : [],
  );
}

/** The ranks that the launcher of one host starts, where the host's log is its own. */
function seatsOfNode(
  { node: told, workers, file }: FileRecord,
  numbered: ReadonlyMap<string, number>,
): Seat[] {
  const node = told ?? numbered.get(file) ?? null;
  const host = baseOf(file).replace(/\.[a-z]{1,6}$/i, '');
  return node === null
    ? []
    : Array.from({ length: workers }, (_, at) => ({
        rank: node * workers + at,
        host,
        device: at,
        pid: null,
      }));
}

/** A task is a rank, or the launcher of a host: then ranks are counted through the hosts, as many on each. */
function seatsOfTasks(files: readonly FileRecord[], told: ReadonlyMap<string, ReadonlySet<number>>): Seat[] {
  const hosts = new Map(files.flatMap(({ tasks }) => [...tasks]));
  if (!areAgents(files)) return [...hosts].map(([rank, host]) => ({ rank, host, device: null, pid: null }));
  const ranks = [...told.values()].flatMap((here) => [...here]);
  const size = Math.max(...ranks.map((rank) => rank + 1), ...files.map(({ worldSize }) => worldSize ?? 0));
  const each = size / hosts.size;
  const isWhole = [...hosts.keys()].every((task) => task < hosts.size) && Number.isInteger(each);
  if (!isWhole || files.some(({ workers }) => workers > each)) return [];
  return Array.from({ length: size }, (_, rank) => ({
    rank,
    host: hosts.get(Math.floor(rank / each))!,
    device: rank % each,
    pid: null,
  }));
}

/** Whether a host's name stands in the name of a file, as a word. */
export function isNamedBy(path: string, host: string): boolean {
  return namesHost(baseOf(path), host);
}

/** Some tools write the name of a host with its domain, others without. */
export function namesHost(text: string, host: string): boolean {
  return hasWord(text, host) || (/^[A-Za-z]/.test(host) && hasWord(text, host.split('.', 1)[0]!));
}

export function hasWord(text: string, word: string): boolean {
  const at = text.indexOf(word);
  if (word.length < 2 || at < 0) return false;
  return !/[A-Za-z0-9]/.test(text[at - 1] ?? '') && !/[A-Za-z0-9]/.test(text[at + word.length] ?? '');
}

/** What is left of the names of files once their ranks are off: hosts, where each rank wrote under one of several that are counted. */
function hostsOf(told: ReadonlyMap<string, ReadonlySet<number>>): ReadonlyMap<string, ReadonlySet<number>> {
  const families = new Map<string, Map<string, Set<number>>>();
  for (const [file, ranks] of told) {
    const name = baseOf(file);
    const host = name.replace(/\.[a-z]{1,6}$/i, '').replace(/[-_.]?(?:global_?|local_?)?rank[-_.]?\d+/i, '');
    if (!/[A-Za-z]/.test(host) || (stemOf(name) === '' && !/^(?:node|host)/i.test(host))) continue;
    const hosts = families.get(familyOf(host)) ?? new Map<string, Set<number>>();
    families.set(familyOf(host), hosts);
    const here = hosts.get(host) ?? new Set();
    hosts.set(host, here);
    for (const rank of ranks) here.add(rank);
  }
  return new Map(
    [...families.values()].flatMap((hosts) => {
      const ranks = [...hosts.values()].flatMap((here) => [...here]);
      // A number that is always the rank itself names no host.
      const isRank = [...hosts].every(
        ([host, here]) => here.size === 1 && Number(/\d+/.exec(host)) === [...here][0],
      );
      if (hosts.size < 2 || isRank || new Set(ranks).size < ranks.length) return [];
      const bare = bareNames([...hosts.keys()]);
      return [...hosts].map(([name, here]) => [bare.get(name)!, here] as const);
    }),
  );
}

/**
 * Of files that differ in one number alone each is of the rank that its number says, when it is for all that name a rank. Where none of
 * them names one, they are counted from 0 on and are as many as the ranks that other files tell of; where nothing names any, what they say
 * shows that they are of one job.
 */
function numberedBy(
  files: readonly FileRecord[],
  told: ReadonlyMap<string, ReadonlySet<number>>,
  said: ReadonlyMap<string, readonly string[]>,
  seated: Iterable<number>,
): (file: string) => number | null {
  const ranks = new Set([...[...told.values()].flatMap((here) => [...here]), ...seated]);
  const members = new Map<string, Set<number>>();
  for (const { file } of files) {
    const found = numberOf(file);
    if (found) members.set(found.family, (members.get(found.family) ?? new Set()).add(found.number));
  }
  const shiftsOfJobs = new Map<string, number | null>();
  const shiftOfJob = (family: string): number | null => {
    const known = shiftsOfJobs.get(family);
    if (known !== undefined) return known;
    // "train-0.out" and "train-0.err" are of one process.
    const beside = [...members].filter(([other]) => other.split('#')[0] === family.split('#')[0]);
    const shift =
      ranks.size > 0 ? null : shiftOfCounted(new Set(beside.flatMap(([, numbers]) => [...numbers])));
    const kinds = beside.map(([other]) => files.filter(({ file }) => numberOf(file)?.family === other));
    const isLost = kinds.flat().some(lostOthers);
    const isOne =
      shift !== null &&
      ((ofProcess.test(family) && isLost) ||
        kinds
          .map((kind) => kind.map((file) => partOf(file, said.get(file.file) ?? [])))
          .some((parts) => (isLost && stoppedTogether(parts)) || areOneJob(parts)));
    shiftsOfJobs.set(family, isOne ? shift : null);
    return isOne ? shift : null;
  };
  const isOnePerRank = (family: string): boolean => {
    const numbers = members.get(family)!;
    return ranks.size > 1 && numbers.size === ranks.size && [...numbers].every((number) => ranks.has(number));
  };
  // Where ranks are told of, files that are named by processes count them: "worker-0.log" and so on, and none is left out.
  const isOfProcesses = (family: string): boolean => {
    const numbers = members.get(family)!;
    const isCounted = ranks.size > 0 && shiftOfCounted(numbers) === 0;
    return isCounted && ofProcess.test(family) && [...ranks].every((rank) => numbers.has(rank));
  };
  const families = new Map<string, Set<number | null>>();
  const counts = new Map<string, number>();
  for (const [file, ranks] of told) {
    const found = numberOf(file);
    if (found === null || ranks.size === 0) continue;
    const shifts = families.get(found.family) ?? new Set();
    families.set(found.family, shifts.add(ranks.size === 1 ? [...ranks][0]! - found.number : null));
    counts.set(found.family, (counts.get(found.family) ?? 0) + 1);
  }
  return (file) => {
    const found = numberOf(file);
    if (found === null) return null;
    if (!counts.has(found.family)) {
      if (isOnePerRank(found.family) || isOfProcesses(found.family)) return found.number;
      const shift = shiftOfJob(found.family);
      return shift === null ? null : found.number + shift;
    }
    if (counts.get(found.family)! < 2) return null;
    const [shift, ...more] = families.get(found.family)!;
    return shift == null || more.length > 0 || found.number + shift < 0 ? null : found.number + shift;
  };
}

/** A process that only lost others was one of several. */
function lostOthers({ tracebacks }: FileRecord): boolean {
  return tracebacks.length > 0 && tracebacks.every(({ chain }) => isConsequence(chain[0]!));
}

const ofProcess = /(?:^|[-_./])(?:worker|proc|process|task|trainer|replica|rank|gpu)[-_.]?#[^/]*$/i;
