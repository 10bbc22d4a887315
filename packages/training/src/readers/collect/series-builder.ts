// Builds one curve while a file streams by. Holds every point up to a capacity; beyond it the older part is
// thinned evenly, keeping the lowest and highest point and every onset of NaN or Inf of each stretch.
import type { MetricIdentity } from '../../record/metrics.js';

const firstCapacity = 64;
const tailKept = 2048;

export interface SeriesKey {
  readonly rawName: string;
  readonly rank: number | null;
  readonly identity: MetricIdentity;
  readonly hasSteps: boolean;
}

/** Points held by all curves of a run together; curves get smaller capacities when it runs out. */
export class PointBudget {
  used = 0;
  constructor(readonly limit: number = 3_000_000) {}
  /** How many points one curve may hold now. */
  capacity(): number {
    return this.used < this.limit ? 1 << 15 : 1 << 13;
  }
}

export class SeriesBuilder {
  seen = 0;
  length = 0;
  /** Whether any point came with a step of its own. */
  hasSteps: boolean;
  steps = new Float64Array(firstCapacity);
  values = new Float64Array(firstCapacity);
  times = new Float64Array(firstCapacity);
  /** Line, byte offset or record number, as the reader counts. */
  places = new Float64Array(firstCapacity);
  /** Points before this index are thinned to two per stretch. */
  private thinnedLength = 0;
  /** Raw points per stretch of two. */
  private stretch = 2;

  constructor(
    readonly key: SeriesKey,
    private readonly budget: PointBudget,
  ) {
    budget.used += firstCapacity;
    this.hasSteps = key.hasSteps;
  }

  push(step: number, value: number, time: number, place: number): void {
    if (this.length === this.steps.length) this.makeRoom();
    const at = this.length++;
    this.steps[at] = step;
    this.values[at] = value;
    this.times[at] = time;
    this.places[at] = place;
    this.seen++;
  }

  private makeRoom(): void {
    const size = this.steps.length;
    if (size < this.budget.capacity()) {
      this.budget.used += size;
      this.copyTo(size * 2, null);
      return;
    }
    const rawEnd = this.length - tailKept;
    const kept: number[] = [];
    for (let at = 0; at < this.thinnedLength; at++) kept.push(at);
    for (let at = this.thinnedLength; at < rawEnd; at += this.stretch) {
      this.keepExtremes(at, Math.min(at + this.stretch, rawEnd), kept);
    }
    let front = kept;
    while (front.length > size / 2) {
      const thinner: number[] = [];
      for (let at = 0; at < front.length; at += 4) this.keepExtremesOf(front.slice(at, at + 4), thinner);
      front = thinner;
      this.stretch *= 2;
    }
    const all = front.slice();
    for (let at = rawEnd; at < this.length; at++) all.push(at);
    this.copyTo(size, all);
    this.thinnedLength = front.length;
  }

  private keepExtremes(start: number, end: number, out: number[]): void {
    const indexes: number[] = [];
    for (let at = start; at < end; at++) indexes.push(at);
    this.keepExtremesOf(indexes, out);
  }

  private keepExtremesOf(indexes: readonly number[], out: number[]): void {
    if (indexes.length <= 2) {
      out.push(...indexes);
      return;
    }
    let low = -1;
    let high = -1;
    let wild = -1;
    for (const at of indexes) {
      const value = this.values[at]!;
      if (!Number.isFinite(value)) {
        if (wild < 0) wild = at;
      } else {
        if (low < 0 || value < this.values[low]!) low = at;
        if (high < 0 || value > this.values[high]!) high = at;
      }
    }
    let first = low;
    let second = high;
    if (wild >= 0) {
      first = wild;
      second = high >= 0 ? high : indexes.at(-1)!;
    } else if (low === high) {
      first = indexes[0]!;
      second = indexes.at(-1)!;
    }
    if (first === second) out.push(first);
    else out.push(Math.min(first, second), Math.max(first, second));
  }

  private copyTo(size: number, chosen: readonly number[] | null): void {
    const pick = (column: Float64Array): Float64Array<ArrayBuffer> => {
      const copy = new Float64Array(size);
      if (chosen === null) copy.set(column);
      else for (let at = 0; at < chosen.length; at++) copy[at] = column[chosen[at]!]!;
      return copy;
    };
    this.steps = pick(this.steps);
    this.values = pick(this.values);
    this.times = pick(this.times);
    this.places = pick(this.places);
    if (chosen !== null) this.length = chosen.length;
  }
}
