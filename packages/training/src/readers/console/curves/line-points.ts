// Puts what lines tell on its curves: at the step they count, at the one that the progress bar below them shows, or one after the other.
import type { SeriesBuilder } from '../../collect/series-builder.js';
import type { StepClock } from './step-clock.js';

interface WaitingPoint {
  readonly curve: SeriesBuilder;
  readonly value: number;
  readonly time: number;
  readonly line: number;
}

const mostWaiting = 2000;

export class LinePoints {
  /** The loss of training. */
  loss: SeriesBuilder | null = null;
  /** The line that told of training last. */
  trainedAt = 0;
  /** Points that wait for the progress bar to be drawn again below them. */
  private waiting: WaitingPoint[] = [];
  /** The training that a curve without steps was last counted in, and the points it had before. */
  private readonly began = new Map<SeriesBuilder, { readonly training: number; readonly seen: number }>();

  get hasRoom(): boolean {
    return this.waiting.length < mostWaiting;
  }

  wait(curve: SeriesBuilder, value: number, time: number, line: number): void {
    this.waiting.push({ curve, value, time, line });
  }

  /** Gives waiting points a step; without one each is counted. */
  flush(step: number | null): void {
    if (this.waiting.length === 0) return;
    for (const { curve, value, time, line } of this.waiting)
      curve.push(step ?? curve.seen + 1, value, time, line);
    this.waiting = [];
  }

  /** Takes back what a curve was given since the last line of training. */
  forget(curve: SeriesBuilder): void {
    if (curve.length > 0 && curve.places[curve.length - 1]! > this.trainedAt) {
      curve.length--;
      curve.seen--;
    }
    this.waiting = this.waiting.filter((point) => point.curve !== curve || point.line <= this.trainedAt);
  }

  /** Where the next point of a curve stands without any step: what is held out is measured after as many points as training has. */
  next(curve: SeriesBuilder, clock: StepClock): number {
    // What else is told under the name is of the epoch that was told of last.
    if (curve.countsEpochs && !Number.isNaN(clock.lastEpoch)) return clock.lastEpoch;
    const own = this.countedIn(curve, clock) + 1;
    if (curve.key.identity.split === 'train' || this.loss === null) return own;
    return Math.max(own, this.countedIn(this.loss, clock));
  }

  /** How many points of a curve are of the training at hand: a log of several counts each from its beginning. */
  private countedIn(curve: SeriesBuilder, { trainings }: StepClock): number {
    const known = this.began.get(curve);
    if (known?.training === trainings) return curve.seen - known.seen;
    const seen = trainings === 0 ? 0 : curve.seen;
    this.began.set(curve, { training: trainings, seen });
    return curve.seen - seen;
  }
}
