/**
 * # The data contains NaN or infinite values
 *
 * ## What
 * The loss became NaN on a batch whose own inputs were NaN, or a library refused such inputs.
 *
 * ## Why
 * One NaN in an input reaches every weight through one backward pass; no learning rate helps.
 *
 * ## Example
 * `input_nan_fraction` 0 for 200 steps, 0.01 at step 201, loss NaN from step 201 on. `ValueError: Input contains NaN.`
 *
 * ## Stays silent
 * When loss or gradients grew before the NaN, and when the recorded inputs were clean.
 */
import { defineDetector } from '../define.js';
import { fromFailure, fromLine } from '../shared/match.js';
import { nonFiniteOf } from '../shared/nonfinite.js';

/** Targets that no alignment with their inputs can hold: the loss of such a sample is infinite, and its gradient NaN. */
const longerThanInputs =
  /samples? (?:in this mini-?batch )?got nan grad|(?:label|target|transcript|text)s?(?: length| sequence)? (?:is |are )?(?:longer|greater|larger) than (?:the )?(?:input|logit|feature|frame|output|encoder)s?/i;

export const nanInData = defineDetector({
  id: 'data/nan-in-data',
  subcause: 'nan_in_data',
  role: 'root',
  signal: 'data',
  needs: ['loss', 'batch'],
  detect: (_record, _features, { view }) => {
    const said = fromFailure(
      view,
      /Input (X )?contains (NaN|infinity)|(NaN|nan|inf)s? (values? )?(found )?in (the )?(input|inputs|data|batch|features?|dataset)|contains NaN/i,
      {
        strength: 0.93,
        when: (failure) => !/loss/i.test(failure.message.split('\n', 1)[0]!),
      },
    );
    const unmatched = fromLine(view, longerThanInputs, { strength: 0.66 });
    if (unmatched.length > 0 && said.length === 0) return unmatched;
    const found = nonFiniteOf(view);
    if (said.length > 0 && !brokeBefore(found?.step, said[0]!.onset)) return said;
    if (!found || found.scores.data < 0.3) return [];
    return [
      {
        strength: found.scores.data,
        onset: found.step,
        evidence: [...found.evidence, ...found.reasons.data],
      },
    ];
  },
});

/** The loss was NaN already when a library refused NaN: that error only follows. */
function brokeBefore(broken: number | undefined, refused: number | null | undefined): boolean {
  return broken !== undefined && (refused === null || refused === undefined || broken < refused);
}
