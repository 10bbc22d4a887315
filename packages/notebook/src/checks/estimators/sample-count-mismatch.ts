/**
 * # Inputs with different numbers of samples
 *
 * ## What
 * `fit`, `score`, a metric or `train_test_split` gets inputs of different lengths.
 *
 * ## Why it crashes
 * scikit-learn pairs the inputs row by row and raises `ValueError` when their lengths differ.
 *
 * ## Example
 * ```python state
 * import numpy as np
 * from sklearn.linear_model import LinearRegression
 *
 * X_train, y_train = np.random.rand(30, 2), np.arange(29)
 * model = LinearRegression()
 * ```
 * ```python cell
 * model.fit(X_train, y_train)
 * ```
 *
 * ## Fix
 * Filter, drop and split features and target together.
 * ```python fixed
 * model.fit(X_train[:29], y_train)
 * ```
 *
 * ## When it stays silent
 * When one of the lengths is not known, and for estimators that ignore y.
 */

import { argument } from '../../reasoning/arguments.js';
import type { Operand } from '../../reasoning/events.js';
import { type CheckContext, defineCheck } from '../define-check.js';
import { type CallEvent, dataOf, methodCall, refusesData } from './shared.js';

/** Functions that compare the lengths of their first two arguments. */
const paired =
  /^sklearn\.metrics\.(accuracy_score|balanced_accuracy_score|f1_score|fbeta_score|precision_score|recall_score|precision_recall_fscore_support|classification_report|confusion_matrix|jaccard_score|matthews_corrcoef|cohen_kappa_score|zero_one_loss|hamming_loss|mean_squared_error|root_mean_squared_error|mean_absolute_error|median_absolute_error|mean_absolute_percentage_error|mean_squared_log_error|r2_score|explained_variance_score|max_error|roc_curve|precision_recall_curve|average_precision_score)$/;

export default defineCheck({
  id: 'estimators/sample-count-mismatch',
  title: 'Inputs with different numbers of samples',
  rung: 'contracts',
  libraries: ['sklearn'],
  on: {
    call(event, context) {
      const inputs = inputsOf(event);
      if (!inputs) return;
      const lengths = inputs.map((operand) => dataOf(context, operand.fact).rows);
      const [first] = lengths;
      if (lengths.some((length) => length === undefined) || lengths.every((length) => length === first))
        return;
      const call = methodCall(event);
      const isTree = call !== undefined && refusesData(call, 'labels');
      context.report({
        exception: 'ValueError',
        message:
          isTree && call.method === 'fit'
            ? `Number of labels=${lengths[1]} does not match number of samples=${first}`
            : `Found input variables with inconsistent numbers of samples: [${lengths.join(', ')}]`,
        evidence: inputs.map((operand, index) => ({
          fact: `${context.text(operand.node)} has ${lengths[index]} samples`,
          source: context.source(operand),
        })),
        explanation: `\`${context.text(event.node.func)}\` raises ValueError: ${describe(inputs, lengths, context)}.`,
        remedy: 'Make both from the same rows: drop, filter and split features and target together.',
      });
    },
  },
});

function inputsOf(event: CallEvent): readonly Operand[] | undefined {
  const call = methodCall(event);
  if (call) {
    if (!refusesData(call, 'lengths') && !refusesData(call, 'labels')) return undefined;
    return call.X && call.y ? [call.X, call.y] : undefined;
  }
  if (event.target === 'sklearn.model_selection.train_test_split') {
    const inputs = event.args.positional;
    return event.args.complete && inputs.length > 1 ? inputs : undefined;
  }
  if (event.target === null || !paired.test(event.target)) return undefined;
  const truth = argument(event, 0, 'y_true');
  const predicted =
    argument(event, 1, 'y_pred') ?? argument(event, 1, 'y_score') ?? argument(event, 1, 'y_proba');
  return truth && predicted ? [truth, predicted] : undefined;
}

function describe(
  inputs: readonly Operand[],
  lengths: readonly (number | undefined)[],
  context: CheckContext,
): string {
  return inputs
    .map((operand, index) => `${context.text(operand.node)} has ${lengths[index]} samples`)
    .join(', ');
}
