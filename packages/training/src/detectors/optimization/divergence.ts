/**
 * # The loss diverges
 *
 * ## What
 * The training loss left its best level beyond its own noise, took back most of what it had gained, and did not come back. Or losses were numbers, and are
 * none any more, while nothing shows why; or none of many was ever a number; or what
 * was learned is lost at once and for good; or the values of a player, or the distance of its policy from the one that it came from, run away while it earns less.
 *
 * ## Why
 * The optimisation is unstable; learning rate, outlier batches and precision are the usual suspects, and narrower
 * detectors speak when one of them shows.
 *
 * ## Example
 * 2.1 at step 4,000; 3.5 at 4,100; 6.9 from 4,300 to the end.
 *
 * ## Stays silent
 * For spikes that heal, for evaluations alone that are NaN, for a new curriculum stage after which the loss falls again, for noise, and for rewards.
 */
import { finiteValues } from '../../features/curve.js';
import { chanceOfRise, unlikely } from '../../features/few-points.js';
import type { RunView } from '../../features/view.js';
import { figure } from '../../record/figures.js';
import { defineDetector, type Observation } from '../define.js';
import { citePoint } from '../shared/cite.js';
import { certainAndClipped } from '../shared/clipped.js';
import { divergenceOf, scheduleChangeBefore } from '../shared/divergence.js';
import { ends, farFromHome } from '../shared/far-from-home.js';
import { lostScore } from '../shared/held-out.js';
import { beyondOutputs } from '../shared/learning.js';
import { fromFailure } from '../shared/match.js';
import { nonFiniteOf } from '../shared/nonfinite.js';

export const divergence = defineDetector({
  id: 'optimization/divergence',
  subcause: 'divergence',
  role: 'root',
  signal: 'curve',
  needs: ['loss'],
  detect: (_record, _features, { view }) => {
    const found = divergenceOf(view);
    if (!found) {
      const said = fromFailure(view, saidSo, { strength: 0.8 });
      return [
        ...said,
        ...partLeft(view),
        ...brokeOnTheWay(view),
        ...neverANumber(view),
        ...thrownAtOnce(view),
        ...clipped(view),
        ...beyondMeasure(view),
        ...beyondWords(view),
        ...mostThatCanBeLost(view),
        ...scoreLost(view),
        ...valuesRanAway(view),
        ...policyRanAway(view),
        ...playersLeft(view),
      ].slice(0, 1);
    }
    if (scheduleChangeBefore(view, found.step)) return [];
    // Where it ends in NaN, narrower detectors say what grew.
    const plain = found.deviations > 20 && !nonFiniteOf(view);
    return [{ strength: plain ? 0.8 : 0.7, onset: found.step, evidence: found.evidence }];
  },
});

/** A solver that looked at its own weights before it went on. */
const saidSo =
  /(?:weights|coefficients|parameters) (?:are|became|is) (?:not |non-?)finite|non-?finite (?:parameter )?(?:weights|coefficients)/i;

/**
 * Losses were numbers, and are none any more. Of whom that was told the hyperparameters were mostly at fault; where nothing shows growth, precision,
 * the inputs or an operation, nobody can say which of them.
 */
function brokeOnTheWay(view: RunView): Observation[] {
  const broken = nonFiniteOf(view);
  if (!broken || broken.before === 0 || Math.max(...Object.values(broken.scores)) >= 0.6) return [];
  const norms = view.curve('grad_norm');
  // Gradients that never were finite were broken from the start; and those that were well say that nothing grew.
  if ((norms && (norms.finite.length === 0 || norms.finite.length >= told)) || isNegative(view)) return [];
  return broken.reasons.data.length > 0
    ? []
    : [{ strength: 0.63, onset: broken.step, evidence: broken.evidence }];
}

/** So many norms of the gradient show whether it grew. */
const told = 3;

/** So many reports in a row went on about nothing. */
const manyReports = 6;

/** No loss that the run ever told, in many reports, was a number, and none was made up: it never was one, whichever batch it saw. */
function neverANumber(view: RunView): Observation[] {
  const broken = nonFiniteOf(view);
  const curves = view.curves('loss');
  if (!broken || Math.max(...Object.values(broken.scores)) > 0.5) return [];
  // Clean inputs leave an operation, which is told by itself.
  if (broken.scores.operation >= broken.scores.data) return [];
  if (!curves.some(({ length }) => length >= manyReports)) return [];
  if (curves.some(({ series }) => series.masked.size > 0 || series.values.some(Number.isFinite))) return [];
  return [{ strength: 0.62, onset: broken.step, evidence: broken.evidence }];
}

/** The first steps threw the loss to many times where it began; it came down from there, and never near its beginning again. */
function thrownAtOnce(view: RunView): Observation[] {
  const loss = view.task.loss === 'reinforcement' ? null : view.curve('loss', 'train');
  const values = loss ? finiteValues(loss) : [];
  const [first = 0, ...later] = values;
  // A sum that is printed on the way rises from its first part too, but never falls.
  const peak = later.indexOf(Math.max(...later));
  if (!loss || first <= 0 || later.length < 8 || peak > later.length / 3) return [];
  if (Math.min(...later) < 5 * first || Math.max(...later.slice(-3)) > 0.9 * later[peak]!) return [];
  const fact = `${loss.name} began at ${figure(first)}, was ${figure(later[peak]!)} soon after, and is ${figure(later.at(-1)!)} at the end`;
  return [
    {
      subcause: 'learning_rate_too_high',
      strength: 0.72,
      onset: loss.steps[loss.finite[1]!]!,
      evidence: [citePoint(loss, loss.finite.at(-1)!, fact)],
    },
  ];
}

/** Where the sum is NaN, one of its parts may still be a number: a hundred times what it was. */
function partLeft(view: RunView): Observation[] {
  const broken = nonFiniteOf(view);
  if (!broken) return [];
  for (const curve of view.curves('loss')) {
    const before = curve.finite.filter((index) => curve.steps[index]! < broken.step);
    const then = curve.finite.find((index) => curve.steps[index]! >= broken.step);
    if (then === undefined || before.length < 2) continue;
    const most = Math.max(...before.map((index) => Math.abs(curve.values[index]!)));
    if (Math.abs(curve.values[then]!) < 100 * most) continue;
    const fact = `${curve.name} is ${figure(curve.values[then]!)} there, never above ${figure(most)} before`;
    return [
      { strength: 0.75, onset: broken.step, evidence: [citePoint(curve, then, fact), ...broken.evidence] },
    ];
  }
  return [];
}

function clipped(view: RunView): Observation[] {
  const found = certainAndClipped(view);
  return found ? [{ strength: 0.66, onset: 0, evidence: [found] }] : [];
}

/** What a wrong answer of full certainty costs in single precision. No other loss has this value. */
const most = -Math.log(2 ** -126);

/** A single point is enough where the loss is what it costs to be certain of wrong answers only. */
function mostThatCanBeLost(view: RunView): Observation[] {
  const loss = view.curve('loss', 'train');
  const index = loss?.values.findIndex((value) => Math.abs(value - most) < 1e-3) ?? -1;
  if (!loss || index < 0 || finiteValues(loss).at(-1)! < 0.5) return [];
  const fact = `${loss.name} is ${figure(loss.values[index]!)}, the most that can be lost: every answer is certain and wrong`;
  return [{ strength: 0.66, onset: loss.steps[index]!, evidence: [citePoint(loss, index, fact)] }];
}

/** What no loss beside a score comes near in a run that learns. */
const absurd = 1e5;

/** So large is no squared error either, whatever the unit of the targets. */
const impossible = 1e15;

/** A row is enough where a loss is beyond all measure: no target explains its size, or a score beside it says that the scale of the targets does not. */
function beyondMeasure(view: RunView): Observation[] {
  for (const curve of view.curves('loss')) {
    const sizes = finiteValues(curve).map(Math.abs);
    if (sizes.length === 0 || sizes.at(-1)! < Math.max(impossible, 0.5 * sizes[0]!)) continue;
    const at = curve.finite.at(-1)!;
    const fact = `${curve.name} is ${figure(curve.values[at]!)}`;
    return [{ strength: 0.7, onset: curve.steps[at]!, evidence: [citePoint(curve, at, fact)] }];
  }
  const loss = view.curve('loss', 'train');
  const norms = view.curve('grad_norm');
  const last = loss?.finite.at(-1);
  if (!loss || last === undefined || loss.finite.length < loss.length || loss.values[last]! < absurd)
    return [];
  // Where the gradient is NaN, the loss is what is left of a sum.
  if (norms && norms.finite.length < norms.length) return [];
  if (view.curve('accuracy', 'train') === null) return [];
  return [
    {
      strength: 0.7,
      onset: loss.steps[last]!,
      evidence: [citePoint(loss, last, `${loss.name} is ${figure(loss.values[last]!)}`)],
    },
  ];
}

/** No text, however strange, costs a model this much per word while its outputs are of a usual size: they have run away. */
function beyondWords(view: RunView): Observation[] {
  const curve = view.curve('perplexity', 'train');
  const values = curve ? finiteValues(curve) : [];
  if (!curve || values.length < 3 || !values.slice(-3).every((value) => Math.log(value) > beyondOutputs))
    return [];
  const fact = `${curve.name} is ${figure(values.at(-1)!)}: more than ${beyondOutputs} nats for each word`;
  return [
    { strength: 0.72, onset: curve.steps[0]!, evidence: [citePoint(curve, curve.finite.at(-1)!, fact)] },
  ];
}

function scoreLost(view: RunView): Observation[] {
  const lost = lostScore(view);
  if (!lost || trainingGoesOn(view)) return [];
  return [
    {
      strength: 0.72,
      onset: lost.step,
      evidence: lost.evidence,
      ...(lost.reversals >= 3 ? { subcause: 'oscillation' as const } : {}),
    },
  ];
}

/** So many times the square of all that was ever earned: an error of values that could be earned is a few times that square at most. */
const beyondEarning = 50;

/** An error that grew so many times ran away, where no more is earned than at the beginning though single episodes earned more. */
const grownInVain = 10;

/**
 * What a player believes it will earn is nothing like what it can. The error of its values is far beyond the square of its best reward and grows,
 * while it earns less; or it is many times what it was, while it earns no more. Errors of a scale of their own do not grow then.
 */
function valuesRanAway(view: RunView): Observation[] {
  const reward = view.curve('reward');
  const earned = reward ? finiteValues(reward) : [];
  if (!reward || earned.length < 3) return [];
  const most = Math.max(...earned.map(Math.abs));
  const [early, late] = ends(earned);
  const lost = early - late >= 0.2 * most;
  const [low, high] = [Math.min(...earned), Math.max(...earned)];
  const couldEarn = late < (low + high) / 2 && late - early < 0.05 * (high - low);
  const inVain = earned.length >= 6 && couldEarn && chanceOfRise(earned) > unlikely;
  if (!lost && !inVain) return [];
  for (const curve of view.curves('loss', 'train')) {
    const errors = finiteValues(curve);
    if (errors.length < 6 || Math.min(...errors) <= 0 || ofPolicy.test(curve.name)) continue;
    const [begun, end] = ends(errors);
    const isBeyond = lost && end >= beyondEarning * (1 + most * most);
    if (!isBeyond && !(inVain && end >= grownInVain * begun)) continue;
    if (chanceOfRise(errors.map(Math.log)) > unlikely) continue;
    return [
      {
        strength: 0.72,
        onset: curve.steps[curve.finite[0]!]!,
        evidence: [
          citePoint(
            curve,
            curve.finite.at(-1)!,
            `${curve.name} has grown from ${figure(begun)} to ${figure(end)}`,
          ),
          citePoint(
            reward,
            reward.finite.at(-1)!,
            `while ${reward.name} went from ${figure(early)} to ${figure(late)}: what was earned does not explain it`,
          ),
        ],
      },
    ];
  }
  return [];
}

const ofPolicy = /actor|policy|entropy|(^|[^a-z])pi($|[^a-z])/i;

/** So many times its first size, and larger at every point: no distance between two sets of samples. */
const beyondBounds = 1e6;

/** The losses of two players that bound one another: both leave for ever larger numbers, of whatever sign. */
function playersLeft(view: RunView): Observation[] {
  if (view.task.loss !== 'reinforcement') return [];
  const left = view.curves('loss', 'train').filter((curve) => {
    const sizes = finiteValues(curve).map(Math.abs);
    return (
      sizes.length >= 4 &&
      sizes.every((size, at) => at === 0 || size > sizes[at - 1]!) &&
      sizes.at(-1)! > beyondBounds * (1 + sizes[0]!)
    );
  });
  if (left.length < 2) return [];
  return [
    {
      strength: 0.72,
      onset: left[0]!.steps[left[0]!.finite[1]!]!,
      evidence: left.map((curve) =>
        citePoint(
          curve,
          curve.finite.at(-1)!,
          `${curve.name} grew from ${figure(finiteValues(curve)[0]!)} to ${figure(finiteValues(curve).at(-1)!)}`,
        ),
      ),
    },
  ];
}

function policyRanAway(view: RunView): Observation[] {
  const found = farFromHome(view);
  return found ? [{ strength: 0.7, onset: found.curve.steps[found.index]!, evidence: found.evidence }] : [];
}

/** Training is at its best at the end: what validation loses is not the optimizer's doing. */
function trainingGoesOn(view: RunView): boolean {
  const score = view.curve('accuracy', 'train');
  const loss = view.curve('loss', 'train');
  if (!score || !loss) return false;
  const [scores, losses] = [finiteValues(score), finiteValues(loss)];
  return (
    scores.length >= 5 &&
    losses.length >= 5 &&
    scores.at(-1)! >= 0.95 * Math.max(...scores) &&
    losses.at(-1)! <= Math.min(...losses) + 0.05 * Math.abs(losses[0]!) &&
    losses.at(-1)! < 0.9 * losses[0]!
  );
}

/** Its last number was below zero: it went down, not away. */
function isNegative(view: RunView): boolean {
  const loss = view.curve('loss', 'train');
  return loss !== null && loss.finite.length > 0 && loss.values[loss.finite.at(-1)!]! < 0;
}
