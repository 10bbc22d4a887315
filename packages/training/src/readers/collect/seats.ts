// Where ranks ran, as files, launchers and schedulers say, and as the names of files beside each other do: "dmesg_cn204.txt" is of the rank
// that wrote "cn204_rank2.log" or that srun started on cn204.
import { type Seat, seated } from '../../record/seat.js';
import { stemOf } from '../input/part-names.js';
import type { FileRecord } from './file-record.js';
import { baseOf, familyOf, hasWord, isNamedBy, numberOf } from './names.js';
import { isHost } from './places.js';

/** The ranks that the lines of a file are of. */
export type Told = ReadonlyMap<string, ReadonlySet<number>>;

/** In order of their ranks. */
export function seatsOf(files: readonly FileRecord[], told: Told): Seat[] {
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
  return inOneSpelling([...seats.values()].sort((a, b) => a.rank - b.rank));
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

/** Whether a scheduler started a launcher on each host, which started the ranks: its tasks are no ranks then. */
export function areAgents(files: readonly FileRecord[]): boolean {
  return files.some(({ tasks }) => tasks.size > 0) && files.some(({ workers }) => workers > 1);
}

/**
 * Ranks are counted through hosts that are counted themselves, as many on each: one that tells of no rank has those between its neighbours'.
 * Where nothing tells of ranks, the devices of each host are as many.
 */
function seatsThrough(files: readonly FileRecord[], told: Told): Seat[] {
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
function seatsOfDevices(files: readonly FileRecord[], told: Told, seats: readonly Seat[]): Seat[] {
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
function seatsOfTasks(files: readonly FileRecord[], told: Told): Seat[] {
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

/** What is left of the names of files once their ranks are off: hosts, where each rank wrote under one of several that are counted. */
function hostsOf(told: Told): ReadonlyMap<string, ReadonlySet<number>> {
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
      // A number of the name that is always the rank itself names no host: "run5-worker-2".
      const ofRank = [...hosts]
        .map(([host, here]) => (here.size === 1 ? placesOf([...here][0]!, host) : []))
        .reduce((all, here) => all.filter((place) => here.includes(place)));
      if (hosts.size < 2 || ofRank.length > 0 || new Set(ranks).size < ranks.length) return [];
      const bare = bareNames([...hosts.keys()]);
      return [...hosts].map(([name, here]) => [bare.get(name)!, here] as const);
    }),
  );
}

/** Which of the numbers of a name it is, counted from 0. */
function placesOf(number: number, name: string): readonly number[] {
  return (name.match(/\d+/g) ?? []).flatMap((digits, at) => (Number(digits) === number ? at : []));
}
