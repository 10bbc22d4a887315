/**
 * # All labels are the same
 *
 * ## What
 * The batches' smallest and largest labels are equal in every recorded batch.
 *
 * ## Why
 * A column read twice, a filter that keeps one class, or data sorted by class: the model always answers one class, and the loss
 * falls to zero.
 *
 * ## Example
 * `label_min` 0 and `label_max` 0 at every step, loss 1e-6 after fifty.
 *
 * ## Stays silent
 * Without recorded labels or a count of them in the log: a loss that falls to zero may be an easy task.
 */
import { finiteValues, toCurve } from '../../features/curve.js';
import type { RunView } from '../../features/view.js';
import { isOverClasses } from '../../health/score.js';
import { figure } from '../../record/figures.js';
import { defineDetector, type Observation } from '../define.js';
import { citeLine, citePoint } from '../shared/cite.js';
import { findLine } from '../shared/match.js';
import { labelsAlike, noSkill } from '../shared/no-skill.js';

/** Balanced accuracy stands at one over the number of classes in every evaluation, while the plain accuracy looks fine and never changes. */
function oneAnswerForAll(view: RunView): Observation | null {
  const balanced = view.curves('accuracy').find((curve) => /balanced/i.test(curve.name));
  const plain = view.curves('accuracy', 'eval').find((curve) => !/balanced/i.test(curve.name));
  if (!balanced || balanced.finite.length < 3) return null;
  const values = finiteValues(balanced);
  const classes = view.task.outcomes ?? 2;
  if (!values.every((value) => Math.abs(value - 1 / classes) < 1e-6)) return null;
  const level = plain ? finiteValues(plain).at(-1)! : 0;
  if (level < 1 / classes + 0.1) return null;
  return {
    strength: 0.86,
    onset: balanced.steps[0]!,
    evidence: [
      citePoint(
        balanced,
        balanced.finite.at(-1)!,
        `${balanced.name} is ${figure(values.at(-1)!)} in every evaluation: one class is always answered`,
      ),
      citePoint(plain!, plain!.finite.at(-1)!, `${plain!.name} of ${figure(level)} is that class's share`),
    ],
  };
}

/** All answers are right, and precision and recall are one over the number of classes to the last digit: the other classes are never asked for. */
function oneClassAsked(view: RunView): Observation | null {
  const score = view.curve('accuracy', 'eval') ?? view.curve('accuracy', 'test') ?? view.curve('accuracy');
  if (!score || score.finite.length < 2 || finiteValues(score).some((value) => value !== 1)) return null;
  const means = view.record.series
    .filter(({ rawName, length }) => isOverClasses(rawName) && length >= 2)
    .map((series) => toCurve(series));
  const shares = means.flatMap(({ values }) => values.map((value) => (value > 1 ? value / 100 : value)));
  const classes = Math.round(1 / (shares[0] ?? 1));
  const alike = means.length >= 2 && shares.every((share) => Math.abs(share * classes - 1) < 1e-3);
  if (!alike || classes < 2) return null;
  return {
    strength: 0.8,
    onset: score.steps[0]!,
    evidence: [
      citePoint(score, score.length - 1, `${score.name} is 1 in every evaluation`),
      citePoint(
        means[0]!,
        means[0]!.length - 1,
        `and ${means.map(({ name }) => name).join(' and ')} one in ${classes}: one class of ${classes} is all there is`,
      ),
    ],
  };
}

/** The log counts the labels, and there is one kind: `label counts: {0: 3000}`, `Counter({1: 512})`, `unique labels: [0]`. */
const oneClass =
  /\b(label|class|target)s?\b[^{[]{0,30}(count|distribution|balance|histogram|frequenc)\w*\W{0,4}(Counter\()?\{\s*[^,{}]{1,40}:\s*\d+\s*\}|\b(unique|distinct) (label|class|target)\w*\W{0,4}(array\()?\[\s*(?:'[^']*'|"[^"]*"|[^\s,\][]{1,20})\s*\]|\bonly (one|1|a single) (class|label)\b/i;

function countedOneClass(view: RunView): Observation | null {
  const line = view.task.loss === 'regression' ? null : findLine(view, oneClass);
  // A warning that a score is undefined is of one evaluation, and it did not stop the run that an error stopped.
  if (line && view.failures.length > 0 && /warning\b/i.test(line.text)) return null;
  return line && { strength: 0.88, onset: line.step, evidence: [citeLine(line)] };
}

/** The hooks counted the labels: one is nearly all of them, and always answering it is as good as what was learned. */
function nearlyAllAlike(view: RunView): Observation | null {
  const alike = labelsAlike(view);
  const found = alike && noSkill(view);
  if (!found) return null;
  const { curve, share } = alike;
  return {
    strength: 0.78,
    onset: curve.steps[0]!,
    evidence: [
      citePoint(curve, curve.finite.at(-1)!, `${figure(100 * share)} % of the labels are the same`),
      citePoint(found.standing.curve, found.standing.index, found.standing.fact),
    ],
  };
}

export const degenerateLabels = defineDetector({
  id: 'data/degenerate-labels',
  subcause: 'degenerate_labels',
  role: 'root',
  signal: 'data',
  needs: ['batch'],
  detect: (_record, _features, { view }) => {
    const constant =
      oneClassAsked(view) ?? oneAnswerForAll(view) ?? countedOneClass(view) ?? nearlyAllAlike(view);
    if (constant) return [constant];
    const high = view.curve('label_max');
    const low = view.curve('label_min');
    if (!high || !low || high.finite.length < 5) return [];
    const top = Math.max(...finiteValues(high));
    const bottom = Math.min(...finiteValues(low));
    if (top !== bottom || view.task.loss === 'regression') return [];
    return [
      {
        strength: 0.88,
        onset: high.steps[0]!,
        evidence: [
          citePoint(high, high.finite.at(-1)!, `every label of every recorded batch is ${figure(top)}`),
        ],
      },
    ];
  },
});
