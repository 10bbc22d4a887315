// The first collective that the ranks of a group called differently: another operation, another shape or another type in the
// same turn. A rank that left one out does from then on what the others do a turn later.
import { ascending } from '../present/presence.js';
import type { Call } from './call.js';
import type { RankDump } from './dump.js';

export type Difference = 'skipped' | 'added' | 'operation' | 'shape' | 'type';

export interface Disagreement {
  readonly group: string;
  readonly sequence: number;
  readonly difference: Difference;
  /** Those that differ from most of the group; all of them when no side is larger. */
  readonly ranks: readonly number[];
  /** Whether it is known which side is wrong: one is larger. */
  readonly settled: boolean;
  readonly call: Call;
  readonly others: Call;
}

/** Operations for which every rank must give the same shape. The others may give different ones. */
const sameShape =
  /^_?(?:all_?reduce|broadcast|reduce|all_gather_into_tensor|_?all_gather_base|reduce_scatter_(?:tensor|base))/i;

type Turns = Map<number, Map<number, Call>>;

export function disagreementOf(
  dumps: readonly RankDump[],
  groups: ReadonlyMap<string, unknown>,
): Disagreement | null {
  let found: { at: number; disagreement: Disagreement } | null = null;
  for (const name of groups.keys()) {
    const sequence = firstDiffering(dumps, name);
    if (sequence === null) continue;
    const disagreement = differingIn(turnsFrom(dumps, name, sequence), sequence, name);
    const at = disagreement.others.time ?? Number.POSITIVE_INFINITY;
    if (found === null || at < found.at) found = { at, disagreement };
  }
  return found?.disagreement ?? null;
}

/** The first turn that is not the same for all, without a list per turn: there may be millions of calls. */
function firstDiffering(dumps: readonly RankDump[], group: string): number | null {
  const models = new Map<number, Call>();
  let first = Number.POSITIVE_INFINITY;
  for (const { calls } of dumps)
    for (const call of calls) {
      if (call.pair || call.group !== group || call.sequence >= first) continue;
      const model = models.get(call.sequence);
      if (model === undefined) models.set(call.sequence, call);
      else if (!isSame(call, model)) first = call.sequence;
    }
  return Number.isFinite(first) ? first : null;
}

function isSame(call: Call, other: Call): boolean {
  if (call.operation !== other.operation) return false;
  if (call.sizes === other.sizes && call.types === other.types) return true;
  return comparableOf(call) === comparableOf(other);
}

function turnsFrom(dumps: readonly RankDump[], group: string, first: number): Turns {
  const turns: Turns = new Map();
  for (const { rank, calls } of dumps)
    for (const call of calls) {
      if (call.pair || call.group !== group || call.sequence < first || call.sequence > first + looked)
        continue;
      const turn = turns.get(call.sequence) ?? new Map<number, Call>();
      turns.set(call.sequence, turn.set(rank, call));
    }
  return turns;
}

function differingIn(turns: Turns, sequence: number, group: string): Disagreement {
  const turn = turns.get(sequence)!;
  const sides = new Map<string, number[]>();
  for (const [rank, call] of turn) {
    const key = signatureOf(call);
    const side = sides.get(key);
    if (side) side.push(rank);
    else sides.set(key, [rank]);
  }
  const [most, second] = [...sides.values()].sort((a, b) => b.length - a.length) as [number[], number[]];
  const settled = most.length > second.length;
  const ranks = [...sides.values()].flatMap((side) => (settled && side === most ? [] : side));
  const call = turn.get(second[0]!)!;
  const others = turn.get(most[0]!)!;
  return {
    group,
    sequence,
    difference: differenceOf(turns, sequence, second[0]!, most[0]!, call, others),
    ranks: ranks.sort(ascending),
    settled,
    call,
    others,
  };
}

function signatureOf(call: Call): string {
  return `${call.operation} ${comparableOf(call)}`;
}

/** What must be the same on every rank. */
function comparableOf({ operation, sizes, types }: Call): string {
  if (sameShape.test(operation)) return `${sizes} ${types}`;
  // Each rank may give a part of another size, but all must mean the same list of parts.
  if (/^all_?gather$/i.test(operation)) return sizes.slice(sizes.indexOf('>'));
  if (/^reduce_?scatter$/i.test(operation)) return sizes.slice(0, sizes.indexOf('>'));
  return '';
}

/** How many turns must fit before a shift is believed. */
const fitting = 2;
/** How many turns behind the difference are looked at. */
const looked = 50;

function differenceOf(
  turns: Turns,
  sequence: number,
  rank: number,
  other: number,
  call: Call,
  others: Call,
): Difference {
  const fits = (mine: number, theirs: number): boolean => {
    let seen = 0;
    for (let turn = 0; turn < looked; turn++) {
      const [one, two] = [turns.get(mine + turn)?.get(rank), turns.get(theirs + turn)?.get(other)];
      if (one === undefined || two === undefined) break;
      if (signatureOf(one) !== signatureOf(two)) return false;
      seen++;
    }
    return seen >= fitting;
  };
  if (fits(sequence, sequence + 1)) return 'skipped';
  if (fits(sequence + 1, sequence)) return 'added';
  if (call.operation !== others.operation) return 'operation';
  return call.sizes === others.sizes ? 'type' : 'shape';
}
