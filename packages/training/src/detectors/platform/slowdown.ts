/**
 * # Steps became much slower
 *
 * ## What
 * Time per step left its own early level by more than two and a half times, stayed there for a good part of the run, and cost
 * the run a quarter of a minute or more; or it grew from step to step all the way to three times its level; or every step since is
 * several times slower than any before, for a third of the run.
 *
 * ## Why
 * A throttling device, a noisy neighbour, swapping, a cold cache or a loader that falls behind; lists that grow each step.
 *
 * ## Example
 * 0.21 s a step for 2,000 steps, then 0.9 s until the end.
 *
 * ## Stays silent
 * For steps that have more to do (longer sequences, larger batches), for single slow steps (checkpoints, evaluation), for the first steps, for short runs and for clocks that machines under load
 * make noisy: a slowdown that cost little is kept as a hypothesis and never a diagnosis.
 */
import { type Curve, departure, finiteValues, smoothingWidth } from '../../features/curve.js';
import { median, monotonicity, percentile, trailingMedian } from '../../features/robust.js';
import { type Pace, paceCurve } from '../../features/system.js';
import type { RunView } from '../../features/view.js';
import { figure } from '../../record/figures.js';
import { defineDetector, type Observation } from '../define.js';
import { citePoint } from '../shared/cite.js';
import { noSkill } from '../shared/no-skill.js';

const leastFactor = 2.5;
const leastSecondsLost = 15;
/** Growth with every step is no load of the machine: less time lost is enough. */
const leastSecondsLostToGrowth = 5;
const leastSecondsLostToData = 8;
/** No load of the machine parts the steps before from those after without a single one between. */
const leastSecondsLostApart = 3;
const leastFactorApart = 4;

export const slowdown = defineDetector({
  id: 'platform/slowdown',
  subcause: 'slowdown',
  role: 'root',
  signal: 'curve',
  needs: ['throughput'],
  detect: (_record, _features, { view }) => {
    const pace = paceCurve(view);
    if (!pace || pace.curve.finite.length < 30) return [];
    const { curve, slowerIsHigher } = pace;
    const crept = creeping(view, pace);
    if (crept.length > 0) return crept;
    const found = departure(curve, {
      direction: slowerIsHigher ? 'up' : 'down',
      minRatio: leastFactor,
      minDeviations: 6,
    });
    if (!found) return starved(view);
    if (hasMoreToDo(view, found.step)) return [];
    const since = curve.finite.filter((index) => index >= found.index).map((index) => curve.values[index]!);
    const slower = (value: number): number =>
      slowerIsHigher ? value / found.baseline : found.baseline / value;
    const factor = slower(median(since));
    const nearlyAll = slower(percentile(since, slowerIsHigher ? 0.1 : 0.9));
    const sustained =
      since.length >= Math.max(12, 0.15 * curve.finite.length) && factor >= leastFactor && nearlyAll >= 2;
    const growing = factor >= 3 && Math.abs(monotonicity(finiteValues(curve))) >= 0.8;
    const lost = secondsLost(curve, found.index, found.baseline, factor, slowerIsHigher);
    const least = growing
      ? leastSecondsLostToGrowth
      : waitsForData(view, found.step)
        ? leastSecondsLostToData
        : leastSecondsLost;
    const costly =
      lost !== null && (lost >= least || (lost >= leastSecondsLostApart && standsApart(pace, found.index)));
    return [
      {
        // A slow machine does not keep a model from learning.
        strength: view.failures.length > 0 || noSkill(view) ? 0.3 : sustained && costly ? 0.8 : 0.3,
        onset: found.step,
        evidence: [
          citePoint(
            curve,
            found.index,
            `${curve.name} became ${figure(factor)} times slower than its early level of ${figure(found.baseline)}${lost === null ? '' : `, which cost ${figure(Math.round(lost))} s`}`,
          ),
        ],
      },
    ];
  },
});

/** Sequences or batches became larger with it: the same speed, more work. */
function hasMoreToDo(view: RunView, from: number): boolean {
  return (['sequence_length', 'batch_size'] as const).some((metric) => {
    const curve = view.curve(metric);
    const size = (kept: (step: number) => boolean): number =>
      median(
        curve!.finite.filter((index) => kept(curve!.steps[index]!)).map((index) => curve!.values[index]!),
      );
    return curve !== null && size((step) => step >= from) >= 1.5 * size((step) => step < from);
  });
}

const duration = ({ curve, slowerIsHigher }: Pace, index: number): number =>
  slowerIsHigher ? curve.values[index]! : 1 / curve.values[index]!;

/** Nearly every step since is four times slower than nearly every step before, and both were many. */
function standsApart(pace: Pace, from: number): boolean {
  const { finite } = pace.curve;
  const before = finite.filter((index) => index < from).map((index) => duration(pace, index));
  const since = finite.filter((index) => index >= from).map((index) => duration(pace, index));
  if (before.length < 20 || since.length < Math.max(20, finite.length / 3)) return false;
  return (
    median(since) >= leastFactorApart * median(before) &&
    percentile(since, 0.05) >= 2 * percentile(before, 0.95)
  );
}

/** Slower with nearly every step from beginning to end, to several times the first: no machine under load does that. */
function creeping(view: RunView, pace: Pace): Observation[] {
  const { curve } = pace;
  const all = curve.finite.map((index) => duration(pace, index));
  const smooth = trailingMedian(all, smoothingWidth(all.length));
  const tenth = Math.max(3, Math.floor(all.length / 10));
  const factor = median(all.slice(-tenth)) / median(all.slice(0, tenth));
  if (all.length < 40 || view.failures.length > 0 || factor < 6 || monotonicity(smooth) < 0.8) return [];
  const middle = curve.finite[Math.floor(all.length / 2)]!;
  if (hasMoreToDo(view, curve.steps[middle]!)) return [];
  return [
    {
      strength: 0.8,
      onset: curve.steps[curve.finite[0]!]!,
      evidence: [
        citePoint(
          curve,
          curve.finite.at(-1)!,
          `${curve.name} shows steps that became slower without pause, ${figure(factor)} times in all`,
        ),
      ],
    },
  ];
}

/** Step times were noisy from the beginning, but the wait for data rose tenfold, is most of a step now, and cost time. */
function starved(view: RunView): Observation[] {
  const waits = view.curve('data_time');
  const steps = view.curve('step_time');
  const found = waits && steps ? departure(waits, { direction: 'up', minRatio: 10, minDeviations: 4 }) : null;
  if (!waits || !found || view.failures.length > 0) return [];
  const since = waits.finite.filter((index) => index >= found.index).map((index) => waits.values[index]!);
  const lost = secondsLost(waits, found.index, found.baseline, median(since) / found.baseline, true);
  if (since.length < 10 || !waitsForData(view, found.step) || (lost ?? 0) < leastSecondsLostToData) return [];
  return [
    {
      strength: 0.8,
      onset: found.step,
      evidence: [
        citePoint(
          waits,
          found.index,
          `${waits.name} rose from ${figure(found.baseline)} to ${figure(median(since))} s and is most of a step`,
        ),
      ],
    },
  ];
}

/** The time to fetch a batch rose tenfold with it and is most of a step: no noise of the clock. */
function waitsForData(view: RunView, from: number): boolean {
  const waits = view.curve('data_time');
  const steps = view.curve('step_time');
  if (!waits || !steps) return false;
  const before = waits.finite
    .filter((index) => waits.steps[index]! < from)
    .map((index) => waits.values[index]!);
  const after = waits.finite
    .filter((index) => waits.steps[index]! >= from)
    .map((index) => waits.values[index]!);
  if (before.length < 5 || after.length < 5) return false;
  return (
    median(after) > 10 * median(before) &&
    median(after) > 0.5 * median(finiteValues(steps).slice(-after.length))
  );
}

/** What the slow part took beyond what it would have taken at the early pace; null when nothing tells the time. */
function secondsLost(
  curve: Curve,
  from: number,
  baseline: number,
  factor: number,
  slowerIsHigher: boolean,
): number | null {
  const slow = curve.finite.filter((index) => index >= from);
  const first = slow[0]!;
  const last = slow.at(-1)!;
  if (slowerIsHigher) {
    const steps = curve.series.hasSteps ? curve.steps[last]! - curve.steps[first]! + 1 : slow.length;
    return Math.max(steps, slow.length) * baseline * (factor - 1);
  }
  const times = curve.series.times.filter((time) => Number.isFinite(time));
  if (times.length < curve.series.length) return null;
  const began = curve.series.times[Math.round((first / curve.length) * (times.length - 1))]!;
  return ((times.at(-1)! - began) / 1000) * (1 - 1 / factor);
}
