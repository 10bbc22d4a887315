/**
 * # Gradients vanish
 *
 * ## What
 * The gradient norm is vanishingly small, or fell by a factor of a thousand, while the loss had not improved.
 *
 * ## Why
 * Saturated activations, deep chains without residuals or normalisation, sigmoid outputs on a squared error.
 *
 * ## Example
 * Norm 3e-9 from the first steps on, loss 0.693 at every step; or, layer by layer, 1e-8 at the first and 0.1 at the last.
 *
 * ## Stays silent
 * When the loss is low or fell (a converged model has small gradients), when every logged norm is exactly zero, and when
 * the learning rate itself is zero.
 */
import { type Curve, departure, finiteValues } from '../../features/curve.js';
import { median } from '../../features/robust.js';
import { numberSetting } from '../../features/task.js';
import type { RunView } from '../../features/view.js';
import { figure } from '../../record/figures.js';
import { setting } from '../../record/run-record.js';
import { defineDetector, type Observation } from '../define.js';
import { citePoint, citeSetting } from '../shared/cite.js';
import { chanceAccuracy, flowOf, learningOf, ranLongEnough, silentBody } from '../shared/learning.js';

export const gradientVanishing = defineDetector({
  id: 'optimization/gradient-vanishing',
  subcause: 'gradient_vanishing',
  role: 'root',
  signal: 'curve',
  needs: ['gradient', 'loss'],
  detect: (_record, _features, { view }) => {
    const gradient = view.curve('grad_norm');
    const learning = learningOf(view);
    if (!gradient || !learning || gradient.finite.length < 5 || !ranLongEnough(view)) return [];
    // Where units, gradients and steps were looked at one by one, and work, a small norm says nothing.
    if (flowOf(view).works) return [];
    const values = finiteValues(gradient);
    const level = median(values.slice(Math.floor(values.length / 2)));
    if (values.every((value) => value === 0) || learning.movement.improvement > 0.1) return [];
    const scale = Math.abs(learning.movement.start) + 1e-12;
    const tiny = level < 1e-5 * scale;
    const fallen = departure(gradient, { direction: 'down', minRatio: 300 });
    const layers = layerRatio(view);
    if (layers && (layers.ratio < 1e-6 || (layers.ratio < 1e-3 && !learning.fell)))
      return [
        {
          strength: 0.92,
          onset: layers.curve.steps[0]!,
          evidence: [
            citePoint(
              layers.curve,
              layers.curve.finite.at(-1)!,
              `the gradient of ${layers.curve.series.subject} is ${figure(layers.ratio)} of the strongest`,
            ),
          ],
        },
      ];
    if (!tiny && !fallen) {
      const silent = silentLayers(view);
      return silent.length > 0 ? silent : saturatingChain(view);
    }
    if (!learning.flat && learning.fell) return [];
    const index = fallen?.index ?? gradient.finite[0]!;
    return [
      {
        strength: tiny && learning.flat ? 0.9 : 0.75,
        onset: gradient.steps[index]!,
        evidence: [
          citePoint(gradient, gradient.finite.at(-1)!, `${gradient.name} is ${figure(level)}`),
          citePoint(
            learning.curve,
            learning.curve.finite.at(-1)!,
            `${learning.curve.name} stays at ${figure(learning.movement.end)}`,
          ),
        ],
      },
    ];
  },
});

/** The settings name a deep chain of saturating activations, and the loss does not move. */
function saturatingChain(view: RunView): Observation[] {
  const learning = learningOf(view);
  const activation = setting(view.record, 'activation');
  const depth = numberSetting(view.record, 'depth') ?? numberSetting(view.record, 'num_layers');
  if (!learning?.flat || !activation || !/sigmoid|tanh/i.test(String(activation.value))) return [];
  if (depth === null || depth < 8) return [];
  return [
    {
      strength: 0.74,
      onset: learning.curve.steps[learning.curve.finite[0]!]!,
      evidence: [
        citeSetting(activation),
        citePoint(
          learning.curve,
          learning.curve.finite.at(-1)!,
          `${learning.curve.name} stays at ${figure(learning.movement.end)} behind ${depth} layers`,
        ),
      ],
    },
  ];
}

/** The weakest layer's gradient norm over the strongest's, or over the whole where only one layer was logged. */
function layerRatio(view: RunView): { ratio: number; curve: Curve } | null {
  const layers = view
    .curves('grad_norm')
    .filter((curve) => curve.series.subject !== null && curve.finite.length >= 3);
  const whole = view.curves('grad_norm').find((curve) => curve.series.subject === null);
  if (layers.length < 2 && !(layers.length === 1 && whole && whole.finite.length >= 3)) return null;
  const levels = layers.map((curve) => median(finiteValues(curve)));
  const weakest = levels.indexOf(Math.min(...levels));
  const strongest = layers.length > 1 ? Math.max(...levels) : median(finiteValues(whole!));
  return { ratio: levels[weakest]! / strongest, curve: layers[weakest]! };
}

/** At chance level, with inputs that vary, only the output bias has a gradient: the layers before it pass none. */
function silentLayers(view: RunView): Observation[] {
  const chance = chanceAccuracy(view, 'train') ?? chanceAccuracy(view, 'eval');
  const silent = chance ? silentBody(view, chance) : null;
  if (!silent || silent.inputsVary === false) return [];
  return [
    {
      strength: silent.inputsVary === true ? 0.82 : 0.5,
      onset: silent.curve.steps[silent.curve.finite[0]!]!,
      evidence: [
        citePoint(
          silent.curve,
          silent.curve.finite.at(-1)!,
          `${silent.curve.name} ${figure(silent.level)} is what the output bias alone would have`,
        ),
      ],
    },
  ];
}
