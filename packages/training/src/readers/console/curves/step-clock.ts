// Which training step a console is at. Some tools count steps, some print a progress bar, some an epoch and a batch.
import type { FileRecord } from '../../collect/file-record.js';
import type { LinePairs } from '../pairs/line-pairs.js';

const trainingBar = /^\W*(?:ep(?:och)?\b|train|fit|steps?\b|iter|it\b|progress|\d+\|\d+\|loss)/i;
const foreignBar =
  /valid|eval|test|sanity|predict|map|load|download|token|sav|generat|filter|pack|shard|fetch/i;

export class StepClock {
  last: number | null = null;
  private epoch = Number.NaN;
  private firstEpoch = Number.NaN;
  private sawPartOfEpoch = false;
  /** How often the epochs began anew: with another fold, model or setting. */
  trainings = 0;
  /** Of the bar that counts training steps; other bars without a name are evaluations. */
  private barTotal = Number.NaN;
  private barLast = Number.NaN;
  /** Whether the bar that counts is drawn, again and again: what is printed meanwhile belongs to its next state. */
  isDrawn = false;
  /** Steps of the bars that were filled before: one bar per epoch, each counting from zero. */
  private barBase = 0;

  /** Of each epoch: how many steps there were before it, and the highest it has counted so far. */
  private readonly epochs = new Map<number, { readonly before: number; reached: number }>();
  private newestEpoch = Number.NEGATIVE_INFINITY;

  constructor(private readonly record: FileRecord) {}

  /** NaN before the first. */
  get lastEpoch(): number {
    return this.epoch;
  }

  private get hasBar(): boolean {
    return !Number.isNaN(this.barTotal);
  }

  see(step: number): void {
    if (!Number.isFinite(step)) return;
    this.last = step;
    this.record.reachStep(step);
  }

  seeEpoch(epoch: number): void {
    if (Number.isNaN(this.firstEpoch)) this.firstEpoch = epoch;
    if (epoch === this.firstEpoch && this.epoch > epoch + 1) this.trainings++;
    this.epoch = epoch;
    if (!Number.isInteger(epoch)) this.sawPartOfEpoch = true;
  }

  plan(total: number): void {
    if (total > 1) this.record.plannedSteps = total;
  }

  /** A step of the whole run; where every epoch counts from zero, the steps of those before it are added. */
  ofRun(step: number, ofLine: number): number {
    const epoch = Number.isNaN(ofLine) ? this.epoch : ofLine;
    if (Number.isNaN(step) || !Number.isInteger(epoch)) return step;
    const newest = this.epochs.get(this.newestEpoch);
    let own = this.epochs.get(epoch);
    if (own === undefined) {
      const anew = newest !== undefined && epoch > this.newestEpoch && step < newest.reached;
      own = { before: (newest?.before ?? 0) + (anew ? newest.reached + 1 : 0), reached: step };
      this.epochs.set(epoch, own);
      if (epoch > this.newestEpoch) this.newestEpoch = epoch;
    }
    own.reached = Math.max(own.reached, step);
    return own.before + step;
  }

  /** A batch counted inside an epoch. */
  within(epoch: number, batch: number, total: number): number {
    if (Number.isNaN(this.firstEpoch)) this.firstEpoch = epoch;
    const step = Number.isNaN(total) ? Number.NaN : (epoch - this.firstEpoch) * total + batch;
    if (!Number.isNaN(step)) this.see(step);
    return step;
  }

  /** The step a progress bar or an unnamed `n/m` stands for; NaN when it counts something else. */
  fromProgress(bytes: Buffer, start: number, pairs: LinePairs, epoch: number, hasMetrics: boolean): number {
    const { fraction, total, barAt, bracketed } = pairs;
    if (Number.isNaN(fraction) || fraction > total) return Number.NaN;
    if (barAt < 0) {
      if (!hasMetrics || pairs.fractionPair >= 0) return Number.NaN;
      const current = Number.isNaN(epoch) ? (Number.isNaN(bracketed) ? this.epoch : bracketed) : epoch;
      return Number.isNaN(current)
        ? this.count(fraction, total, false)
        : this.within(current, fraction, total);
    }
    const name = barAt > start ? bytes.toString('latin1', start, barAt).trim() : '';
    if (/[A-Za-z]/.test(name)) {
      if (foreignBar.test(name) || (!trainingBar.test(name) && !hasMetrics)) return Number.NaN;
      if (!Number.isNaN(epoch)) return this.within(epoch, fraction, total);
      return this.count(fraction, total);
    }
    const { plannedSteps } = this.record;
    if (plannedSteps !== null && total !== plannedSteps) return Number.NaN;
    if (this.hasBar && total !== this.barTotal && plannedSteps === null) return Number.NaN;
    return this.count(fraction, total);
  }

  private count(fraction: number, total: number, isDrawn = true): number {
    this.isDrawn = isDrawn;
    if (total === this.barTotal && fraction < this.barLast && this.barLast >= total - 1)
      this.barBase += total;
    this.barTotal = total;
    this.barLast = fraction;
    const step = this.barBase + fraction;
    this.see(step);
    return step;
  }

  /** The step of a line that prints none. */
  guess(epoch: number): { step: number; certain: boolean; isEpoch?: true } {
    const { plannedSteps, settings } = this.record;
    const epochs = settings.get('num_train_epochs')?.value;
    if (
      !this.hasBar &&
      !Number.isNaN(epoch) &&
      plannedSteps !== null &&
      typeof epochs === 'number' &&
      epochs > 0
    ) {
      const step = Math.round((epoch / epochs) * plannedSteps);
      this.see(step);
      return { step, certain: true };
    }
    if (this.last !== null) return { step: this.last, certain: true };
    if (Number.isInteger(epoch) && !this.sawPartOfEpoch) return { step: epoch, certain: true, isEpoch: true };
    return { step: Number.NaN, certain: false };
  }
}
