// Which ranks there are, on which hosts, and how far each came, as far as anything that was left says.
import type { RunRecord, TextLine } from '../../record/run-record.js';
import { rankOfPath } from './path-rank.js';

/** As many ranks as the run says it has, or as left anything. */
export function sizeOf(record: RunRecord): number {
  return Math.max((presentIn(record).at(-1) ?? -1) + 1, record.hardware.worldSize ?? 0);
}

/** The host of each rank, as far as anything says. */
export function hostsIn({ seats }: RunRecord): ReadonlyMap<number, string> {
  return new Map(seats.flatMap(({ rank, host }) => (host === null ? [] : [[rank, host] as const])));
}

export function ranksOn({ seats }: RunRecord, wanted: string): number[] {
  return seats.flatMap(({ rank, host }) => (host === wanted ? rank : []));
}

/** The only host that all of them are on; null for several, and where it is not known of each. */
export function hostOfAll(record: RunRecord, ranks: readonly number[]): string | null {
  const hosts = hostsIn(record);
  const [host = null, ...more] = new Set(ranks.map((rank) => hosts.get(rank) ?? null));
  return more.length === 0 ? host : null;
}

export function ranksUpTo(size: number): number[] {
  return Array.from({ length: size }, (_, rank) => rank);
}

/** Ranks of which something is there, and those that launchers and the names of files tell of. */
export function presentIn(record: RunRecord): number[] {
  const seen = new Set(speakingIn(record));
  const see = (rank: number | null) => {
    if (rank !== null) seen.add(rank);
  };
  for (const { rank } of record.seats) see(rank);
  for (const { rank } of record.exits) see(rank);
  for (const { file } of record.sources) see(rankOfPath(file));
  return [...seen].sort(ascending);
}

/** Ranks that left words, numbers, stacks or dumps of their own. */
export function speakingIn(record: RunRecord): ReadonlySet<number> {
  const seen = new Set<number>();
  const see = (rank: number | null) => {
    if (rank !== null) seen.add(rank);
  };
  for (const { rank } of record.dumps) see(rank);
  for (const { rank } of record.tracebacks) see(rank);
  for (const { rank } of record.device) see(rank);
  for (const { rank } of record.series) see(rank);
  for (const { rank } of record.stacks) see(rank);
  for (const { rank } of record.text.lines) see(rank);
  return seen;
}

const speaker =
  /(?:^|[\]|>] ?|\s-\s|\b(?:INFO|WARNING|ERROR)\W{1,3})(?:worker|proc(?:ess)?|trainer|replica|actor|learner|stage|task) #?(\d{1,4})(?:: |\] )/i;

/** Whose line it is: as it is marked, else as it begins, where the number may be one of that many ranks. */
export function speakerOf({ rank, text }: Pick<TextLine, 'rank' | 'text'>, size: number): number | null {
  const said = rank === null && size > 1 ? speaker.exec(text.slice(0, 300))?.[1] : undefined;
  return said !== undefined && Number(said) < size ? Number(said) : rank;
}

/** Whether anything tells ranks apart. */
export function tellsRanks(record: RunRecord): boolean {
  return (record.hardware.worldSize ?? 1) > 1 || presentIn(record).length > 0;
}

/** How far a rank came by the curves that are its own. Null when no curve of the rank counts steps. */
export function lastStepOf({ series }: RunRecord, rank: number): number | null {
  let last: number | null = null;
  for (const { rank: of, hasSteps, steps } of series)
    if (of === rank && hasSteps) for (const step of steps) if (last === null || step > last) last = step;
  return last;
}

export function ascending(a: number, b: number): number {
  return a - b;
}
