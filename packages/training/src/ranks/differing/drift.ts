// Replicas that drift apart: ranks that held the same, as some number of their logs shows, and hold something else later. It need not be
// called a norm: a number that moves, and moves alike on all ranks, is one that the ranks share. Ranks that hold parts of a model, or
// report the loss of their own shard, never had equal numbers and are not compared.

import { isTimed } from '../../record/phase-names.js';
import type { MetricName, RunRecord, Series, Where } from '../../record/run-record.js';

export interface Drift {
  /** As the log calls what was compared. */
  readonly name: string;
  /** The one that differs from most; null when no side is larger. */
  readonly rank: number | null;
  /** The first step at which they differed. */
  readonly step: number;
  readonly values: readonly { readonly rank: number; readonly value: number }[];
  readonly at: Where;
  /** Checksums were compared: their values mean nothing else. */
  readonly isDigest: boolean;
  /** It stopped changing on one rank, and goes on changing on the others. */
  readonly stands: boolean;
}

/** Sums in another order differ in the last digits of a float32. */
const same = 1e-5;
const apart = { known: 5e-5, other: 1e-3 };
/** How many steps must be equal, with numbers that move, and how many must differ. The hooks' norm is known to be shared. */
const fewest = { known: { equal: 1, moving: 1, differing: 2 }, other: { equal: 3, moving: 3, differing: 3 } };

/** Of the machine or of a rank's own batches: equal only by chance. */
const ofOneRank: ReadonlySet<MetricName> = new Set([
  'step_time',
  'data_time',
  'throughput',
  'memory_allocated',
  'memory_reserved',
  'memory_peak',
  'memory_used',
  'memory_total',
  'host_memory',
  'host_memory_percent',
  'gpu_utilization',
  'gpu_temperature',
  'gpu_power',
  'cpu_utilization',
  'disk_percent',
  'batch_size',
  'sequence_length',
  'tokens_seen',
  'samples_seen',
  'token_max',
  'token_min',
  'label_max',
  'label_min',
  'input_mean',
  'input_std',
  'input_nan_fraction',
] as const);

type Row = readonly { readonly rank: number; readonly value: number; readonly at: Where }[];

export function driftIn(record: RunRecord): Drift | null {
  const names = new Map<string, Map<number, Series>>();
  for (const series of record.series) {
    const { rank, subject, metric, split, rawName } = series;
    if (rank === null || subject !== null || split === 'system' || ofOneRank.has(metric)) continue;
    if (!isShared(series) && (isTimed(series) || isCounter(series))) continue;
    // A checksum of digits around one "e" was read as a number.
    const name = metric === 'param_norm' ? metric : `${split}/${series.unit}/${rawName}`;
    const byRank = names.get(name) ?? new Map<number, Series>();
    names.set(name, byRank.set(rank, series));
  }
  for (const byRank of names.values()) {
    const drift = byRank.size < 2 || areMissed(byRank) ? null : (driftOf(byRank) ?? standsAlone(byRank));
    if (drift) return drift;
  }
  return null;
}

/** Points without a step are counted: where a rank has fewer, they are none of the same steps. */
function areMissed(byRank: ReadonlyMap<number, Series>): boolean {
  const all = [...byRank.values()];
  return all.some(({ hasSteps }) => !hasSteps) && new Set(all.map(({ length }) => length)).size > 1;
}

function driftOf(byRank: ReadonlyMap<number, Series>): Drift | null {
  const [series] = [...byRank.values()] as [Series];
  const { rawName } = series;
  const isDigest = series.unit === digest;
  const isKnown = isShared(series);
  const least = isKnown ? fewest.known : fewest.other;
  const far = isKnown ? apart.known : apart.other;
  const common = commonIn(byRank);
  if (isKnown || inBars.test(rawName)) {
    const odd = apartFromTheStart(common);
    if (odd) return { name: rawName, isDigest, stands: false, ...odd };
  }
  const from = common.findIndex(([, row]) => spread(row) > far);
  const equal = common.slice(0, Math.max(from, 0)).filter(([, row]) => spread(row) <= same);
  const [first] = common;
  if (first === undefined || spread(first[1]) > same || equal.length < least.equal) return null;
  if (new Set(equal.map(([, [one]]) => one!.value)).size < least.moving) return null;
  // Ranks write at moments of their own: a drift lasts until the end.
  if (common.length - from < least.differing || common.slice(from).some(([, row]) => spread(row) <= far))
    return null;
  const [step] = common[from]!;
  const [, last] = common.at(-1)!;
  const sides = sidesOf(last, far);
  const [most, second] = sides;
  // Numbers of each rank's own are soon different on all of them.
  if (!isKnown && sides.length > 2) return null;
  const alone =
    sides.length === 2 && most!.length > second!.length && second!.length === 1 ? second![0]! : null;
  return {
    name: rawName,
    isDigest,
    stands: false,
    rank: alone?.rank ?? null,
    step,
    values: last.map(({ rank, value }) => ({ rank, value })),
    at: (alone ?? last[0]!).at,
  };
}

/** The steps in which every rank told it once: some count anew, and tell a step twice. */
function commonIn(byRank: ReadonlyMap<number, Series>): readonly (readonly [number, Row])[] {
  const steps = new Map<number, { rank: number; value: number; at: Where }[]>();
  for (const [rank, entry] of byRank)
    for (let index = 0; index < entry.length; index++) {
      const row = steps.get(entry.steps[index]!) ?? [];
      steps.set(entry.steps[index]!, row);
      row.push({ rank, value: entry.values[index]!, at: entry.where(index) });
    }
  const isOfAll = (row: Row): boolean =>
    row.length === byRank.size && new Set(row.map(({ rank }) => rank)).size === row.length;
  return [...steps].filter(([, row]) => isOfAll(row)).sort(([a], [b]) => a - b);
}

/** A sum of what a model holds, be it of each rank's own as the averages of its layers are. */
const ofState = /check_?sum|digest|fingerprint|norm\b|buffers?\b|params?\b|weights?\b|running_/i;
const fewestStood = 5;
const near = 0.1;

/**
 * Each rank's own, and near to that of the others, until it stands on one rank for good, to the last digit, while it moves on all others
 * from step to step. Parts of a model are not near each other: one of them may be frozen.
 */
function standsAlone(byRank: ReadonlyMap<number, Series>): Drift | null {
  const [series] = [...byRank.values()] as [Series];
  const common = ofState.test(series.rawName) && byRank.size > 2 ? commonIn(byRank) : [];
  if (common.length <= fewestStood) return null;
  const valueAt = (at: number, rank: number): number =>
    common[at]![1].find((entry) => entry.rank === rank)!.value;
  const sinceOf = (rank: number): number => {
    let at = common.length - 1;
    while (at > 0 && valueAt(at - 1, rank) === valueAt(at, rank)) at--;
    return at;
  };
  const since = [...byRank.keys()].map((rank) => ({ rank, from: sinceOf(rank) }));
  const [stood, ...more] = since.filter(({ from }) => from <= common.length - fewestStood);
  if (stood === undefined || more.length > 0 || stood.from < 2) return null;
  const others = since.filter((entry) => entry !== stood);
  const areMoving = others.every(({ rank }) =>
    common.every((_, at) => at === 0 || valueAt(at, rank) !== valueAt(at - 1, rank)),
  );
  if (!areMoving || common.slice(0, stood.from).some(([, row]) => spread(row) > near)) return null;
  const [, last] = common.at(-1)!;
  return {
    name: series.rawName,
    isDigest: series.unit === digest,
    stands: true,
    rank: stood.rank,
    step: common[stood.from]![0],
    values: last.map(({ rank, value }) => ({ rank, value })),
    at: common[stood.from]![1].find(({ rank }) => rank === stood.rank)!.at,
  };
}

/** Replicas hold the same weights: where all but one have equal norms in every step, that one never was a replica. */
function apartFromTheStart(
  common: readonly (readonly [number, Row])[],
): Omit<Drift, 'name' | 'isDigest' | 'stands'> | null {
  const [first] = common;
  if (first === undefined || common.length < 2 || first[1].length < 3) return null;
  const alone = new Set<number>();
  for (const [, row] of common) {
    const [most, second, ...more] = sidesOf(row, same);
    if (second === undefined || more.length > 0 || second.length > 1 || spread(most!) > same) return null;
    alone.add(second[0]!.rank);
  }
  const [rank, ...others] = alone;
  const [, last] = common.at(-1)!;
  if (rank === undefined || others.length > 0 || spread(last) <= apart.known) return null;
  return {
    rank,
    step: first[0],
    values: last.map((entry) => ({ rank: entry.rank, value: entry.value })),
    at: last.find((entry) => entry.rank === rank)!.at,
  };
}

/** The norm of the weights, and checksums: equal by what they are, not by chance. */
function isShared({ metric, unit, rawName }: Series): boolean {
  return metric === 'param_norm' || unit === digest || ofWeights.test(rawName);
}

/** "wsum", "weight_mean", "param_fingerprint": one number made of all weights. */
const ofWeights =
  /^(?:w|weights?|params?|model)[_.-]?(?:sum|norm|mean|abs|fingerprint|check(?:sum)?|hash|digest|crc)$/i;

/** "|theta|", as formulas write a norm: it may be of a copy that meets the others only now and then. */
const inBars = /^(\|{1,2}|‖)(?:w|theta|θ|weights?|params?)\1(?:_?2)?$/i;

const digest = 'digest';

/** Counts of samples or tokens go up by whole numbers, and differ at the end of a shard. */
function isCounter({ values }: Series): boolean {
  return values.every((value, at) => Number.isInteger(value) && (at === 0 || value >= values[at - 1]!));
}

function spread(row: readonly { readonly value: number }[]): number {
  const values = row.map(({ value }) => value);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  return (high - low) / Math.max(Math.abs(high), Math.abs(low), Number.MIN_VALUE);
}

function sidesOf(row: Row, limit: number): Row[number][][] {
  const sides: Row[number][][] = [];
  for (const entry of row) {
    const side = sides.find(([one]) => spread([one!, entry]) <= limit);
    if (side) side.push(entry);
    else sides.push([entry]);
  }
  return sides.sort((a, b) => b.length - a.length);
}
