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

/** Whether a host's name stands in the name of a file, as a word. */
export function isNamedBy(path: string, host: string): boolean {
  const name = baseOf(path);
  const at = name.indexOf(host);
  if (host.length < 2 || at < 0) return false;
  return !/[A-Za-z0-9]/.test(name[at - 1] ?? '') && !/[A-Za-z0-9]/.test(name[at + host.length] ?? '');
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
      if (isOnePerRank(found.family)) return found.number;
      const shift = shiftOfJob(found.family);
      return shift === null ? null : found.number + shift;
    }
    if (counts.get(found.family)! < 2) return null;
    const [shift, ...more] = families.get(found.family)!;
    return shift == null || more.length > 0 || found.number + shift < 0 ? null : found.number + shift;
  };
}

function baseOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
