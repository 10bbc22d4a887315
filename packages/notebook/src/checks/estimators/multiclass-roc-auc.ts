/**
 * # ROC AUC of more than two classes without a strategy
 *
 * ## What
 * `roc_auc_score` is called on more than two classes without `multi_class`, or `roc_curve` on more than two classes.
 *
 * ## Why it crashes
 * The area is defined for two classes; scikit-learn raises `ValueError` unless told how to combine more.
 *
 * ## Example
 * ```python state
 * import numpy as np
 * from sklearn.metrics import roc_auc_score
 *
 * y_test = np.array([0, 1, 2])
 * proba = np.eye(3)
 * ```
 * ```python cell
 * roc_auc_score(y_test, proba)
 * ```
 *
 * ## Fix
 * Pass `multi_class='ovr'` or `'ovo'` and the probabilities of all classes.
 * ```python fixed
 * roc_auc_score(y_test, proba, multi_class="ovr")
 * ```
 *
 * ## When it stays silent
 * When the number of classes is not known, or `multi_class` is given.
 */
import { argument } from '../../reasoning/arguments.js';
import { defineCheck } from '../define-check.js';
import { targetKind, valuesOf } from './targets.js';

export default defineCheck({
  id: 'estimators/multiclass-roc-auc',
  title: 'ROC AUC of more than two classes without a strategy',
  rung: 'contracts',
  libraries: ['sklearn'],
  on: {
    call(event, context) {
      const isScore = event.target === 'sklearn.metrics.roc_auc_score';
      const isCurve = event.target === 'sklearn.metrics.roc_curve';
      if ((!isScore && !isCurve) || !event.args.complete || argument(event, null, 'multi_class')) return;
      const truth = argument(event, 0, 'y_true');
      if (!truth || !argument(event, 1, 'y_score') || targetKind(context, truth.fact) !== 'multiclass')
        return;
      const given = context.text(truth.node);
      const count = valuesOf(context, truth.fact)?.unique;
      context.report({
        exception: 'ValueError',
        message: isScore ? "multi_class must be in ('ovo', 'ovr')" : 'multiclass format is not supported',
        evidence: [{ fact: `${given} holds ${count} classes`, source: context.source(truth) }],
        explanation: `\`${context.text(event.node.func)}\` raises ValueError: ${given} holds ${count} classes.`,
        remedy: isScore
          ? "Pass multi_class='ovr' or 'ovo' with the probabilities of all classes."
          : 'Compare one class at a time: `roc_curve(y_true == label, scores[:, index])`.',
      });
    },
  },
});
