// A finite loss that left its course and did not come back, told apart from spikes that heal, curriculum jumps and noise.

import { peakLearningRate } from '../../features/configuration.js';
import { type Curve, departure, finiteValues, smoothingWidth } from '../../features/curve.js';
import { once } from '../../features/once.js';
import { median, monotonicity } from '../../features/robust.js';
import { numberSetting, usualLearningRates } from '../../features/task.js';
import type { RunView } from '../../features/view.js';
import { heldOutStanding } from '../../health/standing.js';
import { figure } from '../../record/figures.js';
import { setting } from '../../record/run-record.js';
import type { RunEvidence } from '../define.js';
import { citePoint, citeSetting } from './cite.js';
import { isProven, leftForGood, turned } from './left.js';
import { scoreAtItsBest } from './score-at-its-best.js';

export interface Divergence {
  readonly curve: Curve;
  /** Index into the curve where the loss began to rise. */
  readonly index: number;
  readonly step: number;
  readonly best: number;
  readonly end: number;
  /** Rise over the noise of the healthy part. */
  readonly deviations: number;
  readonly evidence: readonly RunEvidence[];
}

/**
 * Held-out data loses least at the end, and has learned something: much less than at the beginning, or more than a constant answer knows. Single
 * batches of training say nothing against it.
 */
function heldOutAtItsBest(view: RunView): boolean {
  const curve = view.curve('loss', 'eval');
  const values = curve ? finiteValues(curve) : [];
  const last = values.at(-1);
  if (!curve || last === undefined || last <= 0 || last > 1.02 * Math.min(...values)) return false;
  if (values.length >= 6 && last < 0.6 * values[0]!) return true;
  const after =
    curve.steps[curve.finite.at(-1)!]! >= 0.9 * (view.record.lastStep ?? Number.POSITIVE_INFINITY);
  return values.length >= 2 && after && heldOutStanding(view)?.kind === 'beats';
}

export const divergenceOf = once((view: RunView): Divergence | null => {
  const logged = view.curve('loss') ?? logarithm(view.curve('perplexity'));
  const curve = view.task.loss === 'reinforcement' && !(logged && leftAllBounds(logged)) ? null : logged;
  const last = curve && !heldOutAtItsBest(view) && !scoreAtItsBest(view) ? curve : null;
  // A log cut out of a run may tell held-out data's loss alone.
  const held = logged === null ? view.curve('loss', 'eval') : null;
  const seen = (held && saturated(held)) ?? (last && (read(view, last) ?? saturated(last)));
  return seen && (isPlanned(view, seen) || liesBehindHole(seen)) ? null : seen;
});

/** So many times as far from the point before as points usually are: what came between was cut out, or another run begins. */
const hole = 50;

function liesBehindHole({ curve, index }: Divergence): boolean {
  const { finite, steps, length } = curve;
  const gaps = finite.slice(1).map((at, before) => steps[at]! - steps[finite[before]!]!);
  const usual = median(gaps.filter((gap) => gap > 0));
  const near = smoothingWidth(length);
  return gaps.some((gap, before) => gap > hole * usual && Math.abs(finite[before + 1]! - index) <= near);
}

/**
 * One jump to a new level, at the very step that the run spoke of before it began ("L1 only until step 5000"): a change of what is minimised, or of
 * the learning rate. Where no rate was logged, nobody can tell which.
 */
function isPlanned(view: RunView, { curve, index, step }: Divergence): boolean {
  // The onset is read from a smoothed curve, which comes late.
  const before = curve.steps[Math.max(0, index - smoothingWidth(curve.length))];
  const after = curve.values.slice(index).filter(Number.isFinite);
  const level = median(after);
  if (before === undefined || step < 10 || after.length < 10) return false;
  if (level > 1.5 * median(after.slice(0, 5)) || monotonicity(after) > 0) return false;
  if (view.curve('learning_rate')) return false;
  const said = (value: number): boolean => value > before && value <= step;
  const begun = curve.where(0);
  return (
    view.record.settings.some(
      ({ key, value }) => typeof value === 'number' && said(value) && counts.test(key),
    ) ||
    view.lines.some(
      ({ text, at }) =>
        (at.line ?? 0) < (begun.line ?? Infinity) &&
        counts.test(text) &&
        (text.match(/\d+/g) ?? []).some((number) => said(Number(number))),
    )
  );
}

const counts = /step|iter|epoch|warm|start|begin|phase|stage|switch/i;

/** The loss of a policy wanders; a million times its first value is beyond wandering. */
function leftAllBounds(curve: Curve): boolean {
  const values = finiteValues(curve);
  return values.length >= 5 && median(values.slice(-3)) > 1e6 * (1 + Math.abs(values[0]!));
}

/** A perplexity is the exponential of a loss. */
function logarithm(curve: Curve | null): Curve | null {
  if (!curve?.finite.every((index) => curve.values[index]! > 0)) return null;
  return { ...curve, name: `log of ${curve.name}`, values: curve.values.map((value) => Math.log(value)) };
}

/** The logarithm of the smallest number of single precision: a probability has become zero. */
const smallest = -Math.log(2 ** -126);

/** The loss ends at a value that only a probability of zero gives. */
function saturated(curve: Curve): Divergence | null {
  const values = finiteValues(curve);
  const end = values.at(-1);
  if (end === undefined || values.length < 2 || Math.abs(end - smallest) > 0.01) return null;
  const index = curve.finite.findIndex((at) => Math.abs(curve.values[at]! - smallest) <= 0.01);
  const at = curve.finite[index]!;
  return {
    curve,
    index: at,
    step: curve.steps[at]!,
    best: Math.min(...values),
    end,
    deviations: 30,
    evidence: [
      citePoint(
        curve,
        at,
        `${curve.name} is ${figure(end)}, the logarithm of the smallest number there is: a probability became zero`,
      ),
    ],
  };
}

/** What wanders about zero, now above and now below, is a difference or a ratio that is pushed: where it stands says nothing. */
function hasNoFloor(values: readonly number[]): boolean {
  return values.filter((value, at) => at > 0 && value * values[at - 1]! < 0).length > 1;
}

/** Training's loss left its best for good; what held-out data and scores did agrees, or says nothing. */
function read(view: RunView, curve: Curve): Divergence | null {
  const values = finiteValues(curve);
  const found = hasNoFloor(values) ? null : leftForGood(values);
  // A new stage begins higher than the one before ended.
  if (!found || (hasStages(view) && found.lost < 1)) return null;
  const others = [
    view.curve('loss', 'eval'),
    turned(view.curve('accuracy', 'eval') ?? view.curve('accuracy')),
  ].flatMap((other) => (other && other.series !== curve.series && leftForGood(finiteValues(other))) || []);
  if (!isProven(found, others)) return null;
  const index = curve.finite[found.from]!;
  const end = median(values.slice(-3));
  return {
    curve,
    index,
    step: curve.steps[index]!,
    best: found.best,
    end,
    deviations: found.rise,
    evidence: [
      citePoint(
        curve,
        index,
        `${curve.name} left its best of ${figure(found.best)} and ended at ${figure(end)} (started at ${figure(values[0]!)})`,
      ),
    ],
  };
}

/** Settings or the log announce a curriculum, or its sequences grow: each stage begins higher than the one before ended. */
export function hasStages(view: RunView): boolean {
  const announced = view.record.settings.some(
    ({ key, value }) => /curriculum|stages?$/i.test(key) && value !== null && value !== false,
  );
  const rises = (values: ArrayLike<number>): boolean =>
    values.length > 1 && values[values.length - 1]! > values[0]!;
  return (
    announced ||
    view.record.series.some(
      ({ metric, rawName, values }) =>
        (metric === 'sequence_length' || /(^|[^a-z])(stage|curriculum|difficulty)/i.test(rawName)) &&
        rises(values),
    )
  );
}

export interface LearningRateJump {
  readonly index: number;
  readonly step: number;
  readonly from: number;
  readonly to: number;
  readonly evidence: RunEvidence;
}

/** A rise of the learning rate shortly before `step`, after it had stood still or fallen: a change of schedule, not a warm-up. */
export function scheduleChangeBefore(view: RunView, step: number): LearningRateJump | null {
  const curve = view.curve('learning_rate');
  if (!curve || curve.finite.length < 4) return null;
  const last = curve.steps[curve.finite.at(-1)!]!;
  const reach = Math.max(5, 0.15 * Math.max(last, step));
  for (let i = curve.finite.length - 1; i >= 2; i--) {
    const index = curve.finite[i]!;
    const at = curve.steps[index]!;
    if (at > step || at < step - reach) continue;
    const to = curve.values[index]!;
    const from = curve.values[curve.finite[i - 1]!]!;
    const before = curve.values[curve.finite[i - 2]!]!;
    if (from <= 0 || to < 1.5 * from || before < from * 0.95) continue;
    return {
      index,
      step: at,
      from,
      to,
      evidence: citePoint(curve, index, `the learning rate went from ${figure(from)} to ${figure(to)}`),
    };
  }
  return null;
}

/** The peak learning rate against the usual span of the optimizer family; 1 is the upper end. */
export function learningRateExcess(view: RunView): { rate: number; factor: number } | null {
  const rate = peakLearningRate(view);
  if (rate === null || rate <= 0) return null;
  const [, high] = usualLearningRates(view.task.optimizer);
  return { rate, factor: Math.max(rate / high, withMomentum(view, rate)) };
}

/** Where the rate was logged, or set. */
export function citeRate(view: RunView, rate: number): RunEvidence[] {
  const curve = view.curve('learning_rate');
  const index = curve ? curve.values.indexOf(rate) : -1;
  const family = view.task.optimizerName ?? 'the optimizer';
  if (curve && index >= 0)
    return [citePoint(curve, index, `learning rate ${figure(rate)}, high for ${family}`)];
  const entry = setting(view.record, 'learning_rate');
  return entry ? [citeSetting(entry)] : [];
}

/** Momentum m adds up steps to 1 / (1 - m) of one; ten times the highest usual rate is what 0.9 makes of it. */
function withMomentum(view: RunView, rate: number): number {
  const momentum = view.task.optimizer === 'sgd' ? numberSetting(view.record, 'momentum') : null;
  return momentum !== null && momentum > 0.9 && momentum < 1 ? rate / (1 - momentum) / 10 : 0;
}

/** The gradient norm left its healthy level upwards for good, or was rising steeply when the run broke off. */
export function gradientRise(view: RunView) {
  const curve = view.curve('grad_norm');
  if (!curve || curve.finite.length < 5) return null;
  const brokeOff = view
    .curves('loss')
    .some((loss) => loss.length > 0 && !Number.isFinite(loss.values.at(-1)!));
  const found = departure(curve, { direction: 'up', minRatio: 8, ...(brokeOff ? { tail: 1 } : {}) });
  return found ? { ...found, curve } : null;
}
