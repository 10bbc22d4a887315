// Where ranks ran and whose file it is, as the names of the files beside each other say: "dmesg_cn204.txt" is of the rank that wrote
// "cn204_rank2.log" or that srun started on cn204, and "worker-2.log" is of rank 2 where "worker-1.log" is of rank 1.
import { type Seat, seated } from '../../record/seat.js';
import { stemOf } from '../input/part-names.js';
import type { FileRecord } from './file-record.js';
import { areOneJob, numberOf, partOf, shiftOfCounted } from './one-job.js';

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
  for (const seat of [...seatsOfTasks(files, told), ...files.flatMap(seatsOfNode)]) see(seat);
  for (const [host, ranks] of hostsOf(told))
    for (const rank of ranks) see({ rank, host, device: null, pid: null });
  const ordered = [...seats.values()].sort((a, b) => a.rank - b.rank);
  const owners = new Map<string, number>();
  const numbered = numberedBy(files, told, said);
  for (const { file } of files) {
    if ((told.get(file)?.size ?? 0) > 0) continue;
    const here = ordered.filter(({ host }) => host !== null && isNamedBy(file, host));
    const owner = here.length === 1 ? here[0]!.rank : here.length === 0 ? numbered(file) : null;
    if (owner !== null) owners.set(file, owner);
  }
  return { seats: ordered, owners };
}

/** Whether a scheduler started a launcher on each host, which started the ranks: its tasks are no ranks then. */
export function areAgents(files: readonly FileRecord[]): boolean {
  return files.some(({ tasks }) => tasks.size > 0) && files.some(({ workers }) => workers > 1);
}

/** The ranks that the launcher of one host starts, where the host's log is its own. */
function seatsOfNode({ node, workers, file }: FileRecord): Seat[] {
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
  return hasWord(baseOf(path), host);
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
    const hosts = families.get(host.replace(/\d+/g, '#')) ?? new Map<string, Set<number>>();
    families.set(host.replace(/\d+/g, '#'), hosts);
    const here = hosts.get(host) ?? new Set();
    hosts.set(host, here);
    for (const rank of ranks) here.add(rank);
  }
  return new Map(
    [...families.values()].flatMap((hosts) => {
      const ranks = [...hosts.values()].flatMap((here) => [...here]);
      return hosts.size > 1 && new Set(ranks).size === ranks.length ? [...hosts] : [];
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
): (file: string) => number | null {
  const ranks = new Set([...told.values()].flatMap((here) => [...here]));
  const members = new Map<string, Set<number>>();
  for (const { file } of files) {
    const found = numberOf(file);
    if (found) members.set(found.family, (members.get(found.family) ?? new Set()).add(found.number));
  }
  const shiftsOfJobs = new Map<string, number | null>();
  const shiftOfJob = (family: string): number | null => {
    const known = shiftsOfJobs.get(family);
    if (known !== undefined) return known;
    const shift = ranks.size > 0 ? null : shiftOfCounted(members.get(family)!);
    const own = shift === null ? [] : files.filter(({ file }) => numberOf(file)?.family === family);
    const isOne = areOneJob(own.map((file) => partOf(file, said.get(file.file) ?? [])));
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

const ofProcess = /(?:^|[-_./])(?:worker|proc|process|task|trainer|replica)[-_.]?#[^/]*$/i;

function baseOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
