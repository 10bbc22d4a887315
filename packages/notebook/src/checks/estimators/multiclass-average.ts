/**
 * # A two-class score on more than two classes
 *
 * ## What
 * `f1_score`, `precision_score`, `recall_score` or the like is called with its default `average='binary'` on more than two
 * classes, or on text labels without `pos_label`.
 *
 * ## Why it crashes
 * With `average='binary'` the score of one positive class is asked for, which needs two classes and a valid `pos_label`.
 *
 * ## Example
 * ```python state
 * import numpy as np
 * from sklearn.metrics import f1_score
 *
 * y_test = np.array([0, 1, 2, 1])
 * y_pred = np.array([0, 1, 1, 1])
 * ```
 * ```python cell
 * f1_score(y_test, y_pred)
 * ```
 *
 * ## Fix
 * Pass `average='macro'`, `'micro'` or `'weighted'`; for two text labels pass `pos_label`.
 * ```python fixed
 * f1_score(y_test, y_pred, average="macro")
 * ```
 *
 * ## When it stays silent
 * When the number of classes or the average is not known.
 */
import { argument } from '../../reasoning/arguments.js';
import { listed } from '../../reasoning/literals.js';
import { defineCheck } from '../define-check.js';
import { labelType, targetKind, valuesOf } from './targets.js';

const scores = /^sklearn\.metrics\.(f1_score|precision_score|recall_score|jaccard_score|fbeta_score)$/;

export default defineCheck({
  id: 'estimators/multiclass-average',
  title: 'A two-class score on more than two classes',
  rung: 'contracts',
  libraries: ['sklearn'],
  on: {
    call(event, context) {
      if (event.target === null || !scores.test(event.target) || !event.args.complete) return;
      const truth = argument(event, 0, 'y_true');
      const predicted = argument(event, 1, 'y_pred');
      const average = argument(event, null, 'average');
      if (!truth || !predicted || (average && context.literal(average.ref) !== 'binary')) return;
      const sides = [truth, predicted];
      const many = sides.find((side) => targetKind(context, side.fact) === 'multiclass');
      const kinds = sides.map((side) => targetKind(context, side.fact));
      const metric = event.target.split('.').at(-1)!;
      if (many && kinds.every((kind) => kind === undefined || kind === 'multiclass' || kind === 'binary')) {
        const given = context.text(many.node);
        context.report({
          exception: 'ValueError',
          message: "Target is multiclass but average='binary'. Please choose another average setting…",
          evidence: [
            {
              fact: `${given} holds ${valuesOf(context, many.fact)?.unique} classes`,
              source: context.source(many),
            },
          ],
          explanation: `\`${metric}\` raises ValueError: ${given} holds more than two classes, and the default is average='binary'.`,
          remedy: "Pass average='macro', 'micro' or 'weighted'.",
        });
        return;
      }
      const isText = sides.every((side) => labelType(context, side.fact) === 'string');
      if (!isText || argument(event, null, 'pos_label') || !kinds.every((kind) => kind === 'binary')) return;
      const labels = valuesOf(context, truth.fact)?.examples ?? [];
      context.report({
        exception: 'ValueError',
        message: `pos_label=1 is not a valid label. It should be one of …`,
        evidence: [
          { fact: `${context.text(truth.node)} holds ${listed(labels)}`, source: context.source(truth) },
        ],
        explanation: `\`${metric}\` raises ValueError: the positive class is 1 by default, and the labels are ${listed(labels)}.`,
        remedy: `Pass pos_label, for example pos_label=${listed(labels.slice(0, 1))}, or an average.`,
      });
    },
  },
});
