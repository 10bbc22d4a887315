/**
 * # The loss ignores every target
 *
 * ## What
 * Recorded batches leave all targets out, or the loss is exactly zero with zero gradients from the first step.
 *
 * ## Why
 * A chat template that never matches masks the whole answer with -100; truncation cuts the answer away. A mean over no
 * targets is NaN, a sum is zero: either way nothing is learned.
 *
 * ## Example
 * `ignored_target_fraction` 1.0 in every batch; `This instance will be ignored in loss calculation` for every sample.
 *
 * ## Stays silent
 * When the share is high but below one (padding and prompts are left out on purpose), and for masked NaN.
 */
import { type Curve, finiteValues } from '../../features/curve.js';
import { median } from '../../features/robust.js';
import type { RunView } from '../../features/view.js';
import { figure } from '../../record/figures.js';
import { defineDetector, type Observation } from '../define.js';
import { citeLine, citePoint } from '../shared/cite.js';
import { fromLine } from '../shared/match.js';

/** A mean over no targets is NaN, and its gradient is exactly zero: every other NaN reaches the gradients. */
function meanOfNothing(loss: Curve, gradient: Curve): Observation | null {
  const broken = new Set(loss.steps.filter((_, index) => Number.isNaN(loss.values[index]!)));
  const beside = gradient.finite.filter((index) => broken.has(gradient.steps[index]!));
  if (broken.size < 3 || beside.length < 0.8 * broken.size) return null;
  if (!beside.every((index) => gradient.values[index] === 0)) return null;
  const index = loss.values.findIndex((value) => Number.isNaN(value));
  return {
    strength: 0.9,
    onset: loss.steps[index]!,
    evidence: [
      citePoint(loss, index, `${loss.name} is NaN`),
      citePoint(gradient, beside[0]!, `while ${gradient.name} is exactly 0: the mean was taken over nothing`),
    ],
  };
}

/** The loss is logged in parts, each of them exactly zero. What several ranks log of one loss are no parts. */
function everyPartIsZero(view: RunView): boolean {
  const parts = view.curves('loss').filter((curve) => curve.finite.length >= 3);
  const names = new Set(parts.map(({ name }) => name));
  return names.size >= 3 && parts.every((curve) => finiteValues(curve).every((value) => value === 0));
}

/** What a loader says of a row that it will not use. */
const passedRow =
  /\b(?:ignor(?:ed|ing)|skipp(?:ed|ing)|mismatch|dropp(?:ed|ing)|discard(?:ed|ing)|masked|truncated)\b|\bno (?:valid )?(?:labels?|targets?|annotations?|answers?)\b/i;
const ofTokens = /token/i;
/** A step that was left out is none of the data's. */
const ofSteps = /overflow|scale|\bstep|grad|\bnan\b|\blayer|weights?\b/i;

/** Row after row is passed over, and the loss is exactly 0 from its first value on: none of them is left. */
function passedOneByOne(view: RunView): Observation | null {
  const loss = view.task.loss === 'reinforcement' ? null : view.curve('loss', 'train');
  // A mean over no targets is NaN, which some write as 0.
  if (!loss || loss.length < 2 || loss.values.some((value) => Math.abs(value) > 0)) return null;
  const lines = view.lines.filter(
    ({ text }) => text.length < 500 && passedRow.test(text) && !ofSteps.test(text),
  );
  const [line] = lines;
  // A row or two that could not be read leave the others.
  if (!line || lines.length < Math.max(3, loss.length)) return null;
  return {
    strength: 0.76,
    onset: loss.steps[0]!,
    ...(lines.every(({ text }) => ofTokens.test(text)) ? { subcause: 'tokenizer_mismatch' as const } : {}),
    evidence: [
      citeLine(line),
      citePoint(
        loss,
        0,
        `${loss.name} is ${loss.finite.length === 0 ? 'NaN' : 'exactly 0'} in every step, beside ${lines.length} such lines`,
      ),
    ],
  };
}

export const ignoredTargets = defineDetector({
  id: 'data/ignored-targets',
  subcause: 'ignored_targets',
  role: 'root',
  signal: 'data',
  needs: ['batch', 'loss'],
  detect: (_record, _features, { view }) => {
    const ignored = view.curve('ignored_target_fraction');
    const share = ignored ? median(finiteValues(ignored)) : null;
    if (ignored && share !== null && share >= 0.999)
      return [
        {
          strength: 0.95,
          onset: ignored.steps[0]!,
          evidence: [
            citePoint(
              ignored,
              ignored.finite.at(-1)!,
              `${figure(share * 100)} % of the targets are left out of the loss`,
            ),
          ],
        },
      ];
    if (ignored && share !== null) return [];
    const passed = passedOneByOne(view);
    if (passed) return [passed];
    const loss = view.curve('loss');
    const gradient = view.curve('grad_norm');
    const mean = loss && gradient ? meanOfNothing(loss, gradient) : null;
    if (mean) return [mean];
    if (
      loss &&
      loss.series.masked.size === 0 &&
      loss.finite.length >= 3 &&
      loss.finite.length === loss.length &&
      finiteValues(loss).every((value) => value === 0)
    ) {
      const still = gradient
        ? finiteValues(gradient).length > 0 && finiteValues(gradient).every((value) => value === 0)
        : false;
      const broken = gradient ? gradient.finite.length < gradient.length : false;
      // A loss that rounds to zero by its construction still has gradients, as that of a policy does.
      if (!broken && (gradient === null || still) && view.task.loss !== 'reinforcement')
        return [
          {
            // Without gradients it may as well be a NaN that was logged as nothing, but hardly in each part of the loss.
            strength: still ? 0.85 : gradient ? 0.62 : everyPartIsZero(view) ? 0.66 : 0.5,
            onset: loss.steps[0]!,
            evidence: [
              citePoint(
                loss,
                0,
                `${loss.name} is exactly 0 in every step${still ? ', and so are the gradients' : ''}`,
              ),
            ],
          },
        ];
    }
    return fromLine(
      view,
      /(all|every) (labels?|targets?) (are|is|were) (-100|ignored|masked)|no (valid|unmasked) (labels?|targets?)|This instance will be ignored in loss calculation/i,
      { strength: 0.65 },
    );
  },
});
