/**
 * # What is minimised is not what is wanted
 *
 * ## What
 * The training loss, or a part of it, falls below zero without end, or lies below zero beside answers that are right or wrong, while held-out data becomes worse; or it is exactly zero while the answers are wrong; or a policy earns less and less while its own loss is
 * content.
 *
 * ## Why
 * A sign: a log-likelihood, a reward or a score is minimised. Every step is the best step in the wrong direction.
 *
 * ## Example
 * Loss 2.3, -40, -9000 …; validation accuracy 0.1, 0.02, 0.0.
 *
 * ## Stays silent
 * For losses that may be negative (densities, policies, similarities) as long as nothing that is measured becomes worse.
 */
import { type Curve, finiteValues, movementOf, startsAtBeginning } from '../../features/curve.js';
import { chanceOfRise, unlikely } from '../../features/few-points.js';
import { median } from '../../features/robust.js';
import type { RunView } from '../../features/view.js';
import { scoreOf } from '../../health/score.js';
import { standingOf } from '../../health/standing.js';
import { figure } from '../../record/figures.js';
import { defineDetector, type Observation } from '../define.js';
import { citePoint } from '../shared/cite.js';
import { farFromHome } from '../shared/far-from-home.js';

export const wrongObjective = defineDetector({
  id: 'model/wrong-objective',
  subcause: 'wrong_objective',
  role: 'root',
  signal: 'curve',
  needs: ['loss', 'eval'],
  detect: (_record, _features, { view }) => {
    const found =
      view.task.loss === 'reinforcement'
        ? earnsLess(view)
        : [...costsNothing(view), ...fallsBelowZero(view), ...standsBelowZero(view)];
    return found.length > 0 ? found.slice(0, 1) : withoutFloor(view);
  },
});

/** The loss is exactly zero from its first value on, while the answers are wrong: whatever it measures, it is not them. */
function costsNothing(view: RunView): Observation[] {
  const curve = view.curve('loss');
  const score = view.curve('accuracy');
  if (!curve || !score || curve.finite.length < 3 || score.finite.length < 3) return [];
  const best = Math.max(...finiteValues(score));
  // Nothing lost and nothing right is nothing asked.
  if (best > 0.9 || best === 0 || !finiteValues(curve).every((value) => value === 0)) return [];
  return [
    {
      strength: 0.8,
      onset: curve.steps[curve.finite[0]!]!,
      evidence: [
        citePoint(curve, curve.finite.at(-1)!, `${curve.name} is exactly 0 from the beginning`),
        citePoint(score, score.finite.at(-1)!, `while ${score.name} is ${figure(best)} at best`),
      ],
    },
  ];
}

function fallsBelowZero(view: RunView): Observation[] {
  const curve = view.curve('loss');
  const values = curve ? finiteValues(curve) : [];
  if (curve && values.length > 0 && values.length < 4) return belowZeroAtOnce(view, curve);
  if (!curve || values.length < 4) return [];
  const end = median(values.slice(-3));
  const fall = Math.min(...values.slice(0, Math.ceil(values.length / 4))) - end;
  if (end >= 0 || fall < 0.5) return [];
  // Below zero from its first value to its last: a likelihood or a score with its sign turned, whatever its size.
  const worse = becameWorse(view, Math.max(...values));
  const endless = end < -10 * (1 + Math.abs(values[0]!));
  const scored = view.task.outcomes !== null || scoreOf(view, 'train') !== null;
  // No likelihood grows a thousandfold in a run.
  const unbounded = end < -1e4 && end < -1000 * Math.abs(values[0]!);
  if (!worse && !unbounded && !isNeverNegative(curve) && !(endless && scored)) return [];
  return [fallsWhile(curve, end, worse)];
}

/** Cross entropy and squared errors are never negative, whatever is held out. */
function isNeverNegative(curve: Curve): boolean {
  return /(^|[^a-z])(mse|b?ce|lm|x?entropy|cross.?entropy)([^a-z]|$)/i.test(curve.name);
}

/** Right or wrong answers cost nothing at the least: a loss beside them that is below zero from the first to the last and no score to show for it. */
function standsBelowZero(view: RunView): Observation[] {
  const curve = view.curve('loss', 'train');
  const score = view.curve('accuracy', 'train') ?? view.curve('accuracy', 'eval');
  const [values, scores] = [curve ? finiteValues(curve) : [], score ? finiteValues(score) : []];
  if (!curve || !score || values.length < 3 || scores.length < 3 || Math.max(...values) > -0.5) return [];
  if (Math.max(...scores) > 0.6 || chanceOfRise(scores) < unlikely) return [];
  return [
    {
      strength: 0.72,
      onset: curve.steps[curve.finite[0]!]!,
      evidence: [
        citePoint(
          curve,
          curve.finite.at(-1)!,
          `${curve.name} is ${figure(values.at(-1)!)}: what answers cost that are right or wrong is never below zero`,
        ),
        citePoint(score, score.finite.at(-1)!, `and ${score.name} is ${figure(scores.at(-1)!)}`),
      ],
    },
  ];
}

/** Players' own losses are distances that may lie anywhere. */
const ofPlayers = /(^|[^a-z])(d|g|disc\w*|gen\w*|critic|actor|policy|pi|q)($|[^a-z])/i;

/** Below zero by so many times what it was: no density and no bound of one gains as much between the lines of a log. */
const endless = 1000;

/** One part of the loss goes down and down, each point far below the one before, or until it is no number any more: nothing holds it. */
function withoutFloor(view: RunView): Observation[] {
  if (view.curve('reward')) return [];
  for (const curve of view.curves('loss', 'train')) {
    const values = finiteValues(curve);
    const [first = 0, end = 0] = [values[0], values.at(-1)];
    const falls = values.length >= 3 && values.every((value, at) => at === 0 || value < values[at - 1]!);
    if (!falls || end >= 0 || ofPlayers.test(curve.series.subject ?? curve.name)) continue;
    const broke = !Number.isFinite(curve.values.at(-1)!);
    if (-end < (broke ? 10 : endless) * Math.max(1, Math.abs(first)) || (!broke && values.length < 4))
      continue;
    return [
      {
        strength: broke ? 0.66 : 0.76,
        onset: curve.steps[curve.finite.find((at) => curve.values[at]! < 0)!]!,
        evidence: [
          citePoint(
            curve,
            curve.finite.at(-1)!,
            `${curve.name} went from ${figure(first)} to ${figure(end)}${broke ? ', and is no number after that' : ''}: nothing holds it`,
          ),
        ],
      },
    ];
  }
  return [];
}

interface Worse {
  readonly curve: Curve;
  readonly fact: string;
}

function fallsWhile(curve: Curve, end: number, worse: Worse | null): Observation {
  const below = curve.finite.find((index) => curve.values[index]! < 0)!;
  return {
    strength: worse ? 0.9 : 0.75,
    onset: curve.steps[below]!,
    evidence: [
      citePoint(curve, curve.finite.at(-1)!, `${curve.name} falls below zero, to ${figure(end)}`),
      ...(worse ? [citePoint(worse.curve, worse.curve.finite.at(-1)!, worse.fact)] : []),
    ],
  };
}

/** A loss that cannot be negative is, and then no number any more: it went down without end between two lines of the log. */
function belowZeroAtOnce(view: RunView, curve: Curve): Observation[] {
  const values = finiteValues(curve);
  const end = values.at(-1)!;
  const worse = values.length > 1 && Math.max(...values) < 0 && end < values[0]! - 0.5 ? rising(view) : null;
  const impossible = isNeverNegative(curve) && values.length > 1 && Math.max(...values) < -0.5;
  // No likelihood grows tenfold from one line to the next, and again; the loss of answers that are right or wrong has none.
  const answers = scoreOf(view, 'train')?.kind === 'accuracy';
  const endless =
    values.length > 1 && (answers || end < -1e4) && end < 10 * values[0]! && Math.max(...values) < 0;
  if (worse || impossible || endless) return [fallsWhile(curve, end, worse)];
  const score = view.curve('accuracy', 'eval') ?? view.curve('accuracy');
  const scored = score !== null && score.finite.length > 0;
  if (end > (scored ? -1 : -1e4) || curve.finite.length === curve.length) return [];
  return [
    {
      strength: 0.8,
      onset: curve.steps[curve.finite[0]!]!,
      evidence: [
        citePoint(curve, curve.finite.at(-1)!, `${curve.name} is ${figure(end)}, and no number after that`),
        ...(scored
          ? [
              citePoint(
                score,
                score.finite.at(-1)!,
                `while ${score.name} is ${figure(finiteValues(score).at(-1)!)}`,
              ),
            ]
          : []),
      ],
    },
  ];
}

/** The held-out loss, which has its sign right, goes up. */
function rising(view: RunView): Worse | null {
  const curve = view.curve('loss', 'eval');
  const held = curve ? finiteValues(curve) : [];
  if (!curve || held.length < 2 || held.at(-1)! <= 0 || held.at(-1)! <= 1.05 * held[0]!) return null;
  return { curve, fact: `${curve.name} rises from ${figure(held[0]!)} to ${figure(held.at(-1)!)}` };
}

function becameWorse(view: RunView, worst: number): Worse | null {
  const evaluated = rising(view);
  if (evaluated) return evaluated;
  for (const split of ['eval', 'train'] as const) {
    const score = scoreOf(view, split);
    const outcomes = view.task.outcomes ?? 2;
    if (score?.kind !== 'accuracy' || score.values.length < 3) continue;
    const level = median(score.values.slice(-3));
    if (level < 0.6 / outcomes || (worst < 0 && standingOf(view, split)?.kind === 'constant'))
      return { curve: score.curve, fact: `${score.curve.name} is ${figure(level)}, no better than guessing` };
  }
  return null;
}

/** The reward falls beyond its noise, and stays down: the policy learns to avoid what is wanted. */
function earnsLess(view: RunView): Observation[] {
  const curve = view.curve('reward');
  const movement = curve ? movementOf(curve) : null;
  if (!curve || !movement || movement.count < 8 || farFromHome(view)) return [];
  const scale = Math.max(Math.abs(movement.start), Math.abs(movement.end));
  const values = finiteValues(curve);
  const last = values.slice(-Math.ceil(values.length / 3));
  const late = median(last);
  if (movement.start - late <= Math.max(3 * movement.noise, 0.3 * scale)) return [];
  // What is earned is often told in several ways; one that does not fall says that it is still earned.
  const kept = view.curves('reward').some((other) => {
    const its = movementOf(other);
    return its !== null && its.count >= 8 && its.start - its.end < 2 * its.noise;
  });
  if (kept) return [];
  return [
    {
      // Who learns to avoid what is wanted still meets it now and then, and does so from the beginning; who earns exactly nothing has
      // ceased to try, and who earned it until late has lost it.
      ...((last.length >= 20 && last.every((value) => value === 0)) || !startsAtBeginning(curve)
        ? { subcause: 'policy_collapse' as const }
        : {}),
      strength: 0.72,
      onset: curve.steps[curve.finite[0]!]!,
      evidence: [
        citePoint(
          curve,
          curve.finite.at(-1)!,
          `${curve.name} fell from ${figure(movement.start)} to ${figure(late)}`,
        ),
      ],
    },
  ];
}
