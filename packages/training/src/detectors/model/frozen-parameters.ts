/**
 * # No parameter receives a gradient
 *
 * ## What
 * Backward found nothing that requires a gradient, or training changes nothing: the losses repeat to the last digit while
 * the learning rate is not zero.
 *
 * ## Why
 * `requires_grad` switched off, `torch.no_grad()` around the forward pass, `.detach()` or `.item()` on the way, adapters that were
 * never switched on.
 *
 * ## Example
 * `RuntimeError: element 0 of tensors does not require grad and does not have a grad_fn`.
 *
 * ## Stays silent
 * When gradients died during the run (see dead units), and when the learning rate is zero.
 */

import { peakLearningRate } from '../../features/configuration.js';
import { type Curve, digitsOf, finiteValues } from '../../features/curve.js';
import { median } from '../../features/robust.js';
import type { RunView } from '../../features/view.js';
import { figure } from '../../record/figures.js';
import { defineDetector, type Observation } from '../define.js';
import { biasAlone, evaluationHardlyMoves, ofBias } from '../shared/bias-alone.js';
import { citePoint, citeSetting } from '../shared/cite.js';
import { certainAndClipped } from '../shared/clipped.js';
import {
  beganAtNothing,
  decaysToNothing,
  evaluationRepeats,
  flowOf,
  learningOf,
  mayTune,
  ranLongEnough,
  trainedShare,
} from '../shared/learning.js';
import { fromFailure, fromLine } from '../shared/match.js';
import { noSkill } from '../shared/no-skill.js';
import { nonFiniteOf } from '../shared/nonfinite.js';

const said =
  /does not require grad and does not have a grad_fn|element 0 of tensors does not require|optimizer got an empty parameter list|No inf checks were recorded for this optimizer|No gradients provided for any variable|None of the inputs have requires_grad|have no trainable|no trainable parameters|trainable params: 0\b|not have any trainable weights|One of the differentiated Tensors (does not require|appears to not)/i;

export const frozenParameters = defineDetector({
  id: 'model/frozen-parameters',
  subcause: 'frozen_parameters',
  role: 'root',
  signal: 'text',
  needs: ['text', 'loss', 'gradient'],
  detect: (_record, _features, { view }) => {
    const found = noneMoves(view);
    return found.length > 0 ? found : perhapsNone(view);
  },
});

function noneMoves(view: RunView): readonly Observation[] {
  const failure = fromFailure(view, said, { strength: 0.95 });
  if (failure.length > 0) return failure;
  const none = noGradient(view);
  if (none.length > 0) return none;
  const learning = learningOf(view);
  if (!learning || !ranLongEnough(view) || peakLearningRate(view) === 0 || decaysToNothing(view)) return [];
  // What becomes NaN was not frozen, nor were weights that took their answers to certainty.
  if (nonFiniteOf(view) || certainAndClipped(view)) return [];
  // A bias alone can lower the loss to that of a constant answer.
  const cut = cutOff(view);
  if (cut.length > 0) return cut;
  const sole = onlyBias(view);
  const gradient = view.curve('grad_norm');
  const still = gradient
    ? gradient.finite.length >= 5 && finiteValues(gradient).every((value) => value === 0)
    : false;
  // Batches differ: a loss may seem to have fallen where no weight moved.
  const unmoved = still && evaluationRepeats(view);
  if ((learning.fell && !unmoved) || sole.length > 0) return sole;
  const warned = fromLine(
    view,
    /None of the inputs have requires_grad|(?<!non-)trainable params: 0\b|not have any trainable weights|\b0 trainable param/i,
    { strength: 0.85 },
  );
  if (warned.length > 0 && (learning.flat || learning.frozen)) return warned;
  if (!still && !learning.frozen) return [];
  if (!still && (gradient !== null || learning.movement.end < 1e-6)) return [];
  if (!learning.flat && !learning.frozen && !unmoved) return [];
  // Weights that took the loss elsewhere before it stood still did move.
  const first = learning.curve.values[learning.curve.finite[0]!]!;
  if (Math.abs(first - learning.movement.end) > 0.5 * Math.abs(learning.movement.end)) return [];
  return [
    {
      // A model at its goal repeats itself too, when its loss is taken over the same rows: but not from its first value on.
      // Weights of nothing but zeros repeat themselves too.
      strength:
        unmoved || (still && learning.frozen)
          ? 0.86
          : still ||
              (sameFromTheFirst(learning.curve) &&
                !beganAtNothing(view) &&
                !mayCreep(view, learning.curve) &&
                !mayHaveSettled(view))
            ? 0.74
            : 0.5,
      onset: learning.curve.steps[learning.curve.finite[0]!]!,
      evidence: [
        citePoint(
          learning.curve,
          learning.curve.finite.at(-1)!,
          learning.frozen
            ? `${learning.curve.name} repeats to the last digit`
            : `${learning.curve.name} stays at ${figure(learning.movement.end)}`,
        ),
        ...(gradient && still
          ? [citePoint(gradient, gradient.finite.at(-1)!, `${gradient.name} is 0 in every step`)]
          : []),
      ],
    },
  ];
}

/**
 * No gradient was logged, nothing beats a constant answer, and held-out data loses the same, to the last digit or but for what a bias moves: as
 * likely as anything else that stands still, and no more.
 */
function perhapsNone(view: RunView): Observation[] {
  const found = noSkill(view);
  const held = view.curve('loss', 'eval');
  if (!found || !held || view.curve('grad_norm') || !learningOf(view)?.flat || decaysToNothing(view))
    return [];
  if (beganAtNothing(view) || !(evaluationRepeats(view) || evaluationHardlyMoves(view, ofBias))) return [];
  const [first, last] = [held.values[held.finite[0]!]!, held.values[held.finite.at(-1)!]!];
  return [
    {
      strength: 0.5,
      onset: held.steps[held.finite[0]!]!,
      evidence: [
        citePoint(
          held,
          held.finite.at(-1)!,
          `${held.name} ${figure(first)} and ${figure(last)} at the first and the last of ${held.finite.length} evaluations: weights may not move at all`,
        ),
      ],
    },
  ];
}

/** Every logged gradient is exactly 0, while there is a rate to step with and a loss to lower: a few lines are enough. */
function noGradient(view: RunView): Observation[] {
  const gradient = view.curve('grad_norm');
  const loss = view.curve('loss');
  if (!gradient || !loss || gradient.length < 2 || loss.finite.length < 2) return [];
  // A longer course is judged by how it goes; and small norms of weights that were trained before are printed as 0 too.
  const long = loss.finite.length >= 6;
  if (long && (ranLongEnough(view) || !learningOf(view)?.flat || mayTune(view))) return [];
  const values = finiteValues(loss);
  const rate = peakLearningRate(view);
  if (gradient.values.some((value) => value !== 0) || rate === null || rate === 0) return [];
  if (Math.min(...values) < 0.01 || values.at(-1)! < 0.9 * values[0]!) return [];
  return [
    {
      strength: 0.8,
      onset: gradient.steps[0]!,
      evidence: [
        citePoint(gradient, gradient.length - 1, `${gradient.name} is 0 at every point`),
        citePoint(loss, loss.finite.at(-1)!, `while ${loss.name} is ${figure(values.at(-1)!)}`),
      ],
    },
  ];
}

/** Hardly any parameter is to be trained, or hardly any that is gets a gradient, and nothing better than a constant answer comes of it. */
function cutOff(view: RunView): Observation[] {
  const { reach } = flowOf(view);
  const trained = trainedShare(view);
  const found = noSkill(view);
  if (!found) return [];
  if (reach && reach.finite.length >= 3 && median(finiteValues(reach)) < 0.5)
    return [
      {
        strength: 0.86,
        onset: reach.steps[0]!,
        evidence: [
          citePoint(
            reach,
            reach.finite.at(-1)!,
            `a gradient reaches ${figure(100 * median(finiteValues(reach)))} % of the trainable parameters`,
          ),
          citePoint(found.standing.curve, found.standing.index, found.standing.fact),
        ],
      },
    ];
  if (!trained || trained.share > 0.01) return [];
  return [
    {
      strength: 0.86,
      onset: found.standing.curve.steps[0] ?? 0,
      evidence: [
        citeSetting(trained.entry),
        citePoint(found.standing.curve, found.standing.index, found.standing.fact),
      ],
    },
  ];
}

/** Nothing beats a constant answer, and what moves could be the output's bias alone: too little to say so. */
function onlyBias(view: RunView): Observation[] {
  const found = noSkill(view);
  const curve = found && biasAlone(view);
  if (!curve) return [];
  return [
    {
      strength: 0.5,
      onset: curve.steps[0] ?? 0,
      evidence: [
        citePoint(
          curve,
          curve.finite.at(-1)!,
          `${curve.name} slides to that of a constant answer, as if only a bias learned`,
        ),
        citePoint(found.standing.curve, found.standing.index, found.standing.fact),
      ],
    },
  ];
}

/** Few digits of a loss that may be a good one: a small model can be at its goal after the first of the passes that are printed. */
function mayHaveSettled(view: RunView): boolean {
  const held = view.curve('loss', 'eval');
  return held !== null && digitsOf(held) < 6 && noSkill(view) === null;
}

/** A rate that nobody recorded may be so small that the few digits of the loss do not show its steps. */
function mayCreep(view: RunView, curve: Curve): boolean {
  return peakLearningRate(view) === null && digitsOf(curve) < 6;
}

/** The first values come again, digit by digit and in their order, to the end. */
function sameFromTheFirst(curve: Curve): boolean {
  const values = finiteValues(curve);
  const period = values.indexOf(values[0]!, 1);
  return period > 0 && values.every((value, index) => value === values[index % period]);
}
