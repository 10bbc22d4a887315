// Which ranks there are, as far as anything that was left says, and where their dumps stand still.
import type { RunRecord, TextLine } from '../record/run-record.js';
import type { RankStack } from '../record/stack.js';
import { rankOfPath } from './path-rank.js';
import { ascending, type Standstill, standstillOf } from './standstill.js';

const standstills = new WeakMap<RunRecord, { readonly found: Standstill | null }>();

/** Worked out once per record: the detector, the verdict and the picture ask for it. */
export function standstillIn(record: RunRecord): Standstill | null {
  if (record.dumps.length === 0) return null;
  const known = standstills.get(record) ?? { found: standstillOf(record.dumps, sizeOf(record)) };
  standstills.set(record, known);
  return known.found;
}

/** As many ranks as the run says it has, or as left anything. */
export function sizeOf(record: RunRecord): number {
  return Math.max((presentIn(record).at(-1) ?? -1) + 1, record.hardware.worldSize ?? 0);
}

/** The host of each rank, as far as anything says. */
export function hostsIn({ seats }: RunRecord): ReadonlyMap<number, string> {
  return new Map(seats.flatMap(({ rank, host }) => (host === null ? [] : [[rank, host] as const])));
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

/** A process that a stack or an error is of: its rank is not always known. */
export interface Standing {
  readonly rank: number | null;
  readonly stack: RankStack;
}

/** The last stack of each process; one whose rank the stack does not say is known by its number. */
export function standingIn({ stacks, seats }: RunRecord): Standing[] {
  const byPid = new Map(seats.map(({ pid, rank }) => [pid, rank]));
  const found = new Map<number | string, Standing>();
  for (const stack of stacks) {
    const rank = stack.rank ?? (stack.pid === null ? null : (byPid.get(stack.pid) ?? null));
    found.set(rank ?? `${stack.pid ?? ''} ${stack.at.file}:${stack.at.line}`, { rank, stack });
  }
  return [...found.values()];
}

/** The same where the stacks show every process once: as many as there are ranks, and each rank at most once. Else only those of known ranks. */
export function wholeStanding(record: RunRecord): Standing[] {
  const all = standingIn(record);
  const known = all.filter(({ rank }) => rank !== null);
  const files = new Set(all.map(({ stack }) => stack.pid ?? stack.at.file));
  const size = sizeOf(record);
  return known.length === all.length || all.length === size || (size === 0 && files.size === all.length)
    ? all
    : known;
}

/** The last stack of each rank. */
export function stacksByRank(record: RunRecord): Map<number, RankStack> {
  return new Map(
    standingIn(record).flatMap(({ rank, stack }) => (rank === null ? [] : [[rank, stack] as const])),
  );
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
