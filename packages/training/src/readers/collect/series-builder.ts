// Builds one curve while a file streams by. Holds every point up to a capacity; beyond it the older part is
// thinned evenly, keeping the lowest and highest point and every onset of NaN or Inf of each stretch.
import type { MetricIdentity } from '../../record/metrics.js';

const firstCapacity = 64;
const mostCapacity = 1 << 15;
const tailKept = 2048;
/** Indexes of the points that a thinning keeps; one thinning at a time needs it. */
const chosen = new Int32Array(mostCapacity);

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
    return this.used < this.limit ? mostCapacity : 1 << 13;
  }
}

export class SeriesBuilder {
  seen = 0;
  length = 0;
  /** Whether any point came with a step of its own. */
  hasSteps: boolean;
  /** Whether any point had no step but an epoch, which stands for it. */
  countsEpochs = false;
  steps = new Float64Array(firstCapacity);
  values = new Float64Array(firstCapacity);
  times = new Float64Array(firstCapacity);
  /** Line, byte offset or record number, as the reader counts. */
  places = new Float64Array(firstCapacity);
  /** Whether a record looks at these columns: then they are left as they are, and thinning makes new ones. */
  isShared = false;
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
    let count = 0;
    while (count < this.thinnedLength) chosen[count] = count++;
    for (let at = this.thinnedLength; at < rawEnd; at += this.stretch) {
      const end = Math.min(at + this.stretch, rawEnd);
      for (let index = at; index < end; index++) chosen[count + index - at] = index;
      count = this.keepExtremes(count, count + end - at, count);
    }
    while (count > size / 2) {
      let thinner = 0;
      for (let at = 0; at < count; at += 4) thinner = this.keepExtremes(at, Math.min(at + 4, count), thinner);
      count = thinner;
      this.stretch *= 2;
    }
    this.thinnedLength = count;
    for (let at = rawEnd; at < this.length; at++) chosen[count++] = at;
    this.copyTo(size, count);
  }

  /** Of the points chosen from `start` to `end`, writes the telling ones to `out`, which is not behind `start`; returns its new end. */
  private keepExtremes(start: number, end: number, out: number): number {
    const { values } = this;
    let low = -1;
    let high = -1;
    let wild = -1;
    for (let index = start; index < end; index++) {
      const at = chosen[index]!;
      const value = values[at]!;
      if (!Number.isFinite(value)) {
        if (wild < 0) wild = at;
      } else {
        if (low < 0 || value < values[low]!) low = at;
        if (high < 0 || value > values[high]!) high = at;
      }
    }
    const last = chosen[end - 1]!;
    let first = low;
    let second = high;
    if (end - start <= 2) {
      first = chosen[start]!;
      second = last;
    } else if (wild >= 0) {
      first = wild;
      second = high >= 0 ? high : last;
    } else if (low === high) {
      first = chosen[start]!;
      second = last;
    }
    chosen[out] = Math.min(first, second);
    if (first === second) return out + 1;
    chosen[out + 1] = Math.max(first, second);
    return out + 2;
  }

  /** Larger columns, or the same with the `count` points alone that were chosen. */
  private copyTo(size: number, count: number | null): void {
    const pick = (column: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> => {
      const copy = count === null || this.isShared ? new Float64Array(size) : column;
      if (count === null) copy.set(column);
      else for (let at = 0; at < count; at++) copy[at] = column[chosen[at]!]!;
      return copy;
    };
    this.steps = pick(this.steps);
    this.values = pick(this.values);
    this.times = pick(this.times);
    this.places = pick(this.places);
    if (count !== null) this.length = count;
    this.isShared = false;
  }
}
