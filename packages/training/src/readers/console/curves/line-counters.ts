// What a line counts, and how much it measures: its step, its epoch, and the roles of its names. Read anew for each line: memory that every line
// asks for again grows with the speed of reading.
import type { LinePairs } from '../pairs/line-pairs.js';
import { isTime } from '../pairs/units.js';

export class LineCounters {
  step = Number.NaN;
  /** Of the counter that gave the step; -1 without one. Up to 1 it only counts together with an epoch or a total. */
  priority = -1;
  /** Whether the step's own name has a total: of how many it is one. */
  plans = false;
  epoch = Number.NaN;
  epochAt = 0;
  /** Measures that have a meaning, and others. */
  known = 0;
  others = 0;
  /** The summary a trainer prints when it is done. */
  isFinal = false;
  hasLoss = false;
  /** Whether the part of its data is all the name that a value has. */
  hasBareParts = false;
  hasNanSteps = false;
  /** Whether it says how far training is. */
  counts = false;

  /** Of the line whose pairs these are, up to `end`. */
  read(pairs: LinePairs, end: number): void {
    this.step = Number.NaN;
    this.priority = -1;
    this.plans = false;
    this.epoch = Number.NaN;
    this.epochAt = end;
    this.known = 0;
    this.others = 0;
    this.isFinal = false;
    this.hasLoss = false;
    this.hasBareParts = false;
    this.hasNanSteps = false;
    let isPlural = false;
    for (let at = 0; at < pairs.count; at++) {
      const info = pairs.keys[at]!;
      const value = pairs.values[at]!;
      switch (info.role) {
        case 'step':
          // `Step: 62ms` is how long one took.
          if (isTime(pairs.units[at]!)) break;
          // `batch=512` is a size; only `batch 5/100` counts.
          if (info.priority > this.priority && (info.priority > 1 || at === pairs.fractionPair)) {
            this.priority = info.priority;
            this.step = value;
            isPlural = info.name.endsWith('s');
            if (at === pairs.fractionPair && info.priority > 1) this.plans = true;
          }
          break;
        case 'epoch':
          this.epoch = value;
          this.epochAt = pairs.positions[at]!;
          break;
        case 'final':
          this.isFinal = true;
          break;
        default:
          if (info.identity.metric === 'other') this.others++;
          else this.known++;
          if (info.role === 'split') this.hasBareParts = true;
          if (info.identity.metric === 'loss') this.hasLoss = true;
          if (info.identity.metric === 'nan_steps' && value > 0) this.hasNanSteps = true;
      }
    }
    // `steps: 160 lr=0.1` plans them; beside a loss they are counted.
    if (isPlural && !this.hasLoss) {
      this.step = Number.NaN;
      this.priority = -1;
    }
    this.counts = this.priority > 1 || !Number.isNaN(this.epoch) || !Number.isNaN(pairs.fraction);
  }
}
