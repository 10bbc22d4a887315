/**
 * # A classification metric on targets of different kinds
 *
 * ## What
 * Labels are compared with predictions of another kind: classes with probabilities or real numbers, text with numbers.
 *
 * ## Why it crashes
 * Classification metrics compare classes with classes and raise `ValueError` for a mix of kinds.
 *
 * ## Example
 * ```python state
 * import numpy as np
 * from sklearn.metrics import accuracy_score
 *
 * y_test = np.array([0, 1, 1, 0])
 * proba = np.array([0.2, 0.8, 0.6, 0.4])
 * ```
 * ```python cell
 * accuracy_score(y_test, proba)
 * ```
 *
 * ## Fix
 * Turn scores into classes first: a threshold for two classes, `argmax(axis=1)` for more; or use a metric for
 * regression.
 * ```python fixed
 * accuracy_score(y_test, proba > 0.5)
 * ```
 *
 * ## When it stays silent
 * When the kind of either side is not decided by known values.
 */

import { argument } from '../../reasoning/arguments.js';
import type { Fact } from '../../reasoning/facts.js';
import { shapeOf } from '../../reasoning/kinds.js';
import { defineCheck } from '../define-check.js';
import { labelType, targetKind } from './targets.js';

const metrics =
  /^sklearn\.metrics\.(accuracy_score|balanced_accuracy_score|f1_score|fbeta_score|precision_score|recall_score|precision_recall_fscore_support|classification_report|confusion_matrix|jaccard_score|matthews_corrcoef|cohen_kappa_score|zero_one_loss|hamming_loss)$/;

export default defineCheck({
  id: 'estimators/mixed-metric-targets',
  title: 'A classification metric on targets of different kinds',
  rung: 'contracts',
  libraries: ['sklearn'],
  on: {
    call(event, context) {
      if (event.target === null || !metrics.test(event.target)) return;
      const truth = argument(event, 0, 'y_true') ?? argument(event, 0, 'y1');
      const predicted = argument(event, 1, 'y_pred') ?? argument(event, 1, 'y2');
      if (!truth || !predicted) return;
      const kinds = [targetKind(context, truth.fact), targetKind(context, predicted.fact)] as const;
      const types = [labelType(context, truth.fact), labelType(context, predicted.fact)] as const;
      const tables = [isTable(truth.fact), isTable(predicted.fact)] as const;
      const message = kindMessage(kinds) ?? typeMessage(types, kinds) ?? tableMessage(tables);
      if (message === undefined) return;
      const metric = event.target.split('.').at(-1)!;
      const say = (index: 0 | 1) =>
        tables[0] !== tables[1] && tables[index]
          ? 'several columns'
          : types[0] !== types[1] && types[index] === 'string'
            ? 'text labels'
            : `${kinds[index] ?? 'other'} values`;
      const names = [context.text(truth.node), context.text(predicted.node)] as const;
      context.report({
        exception: 'ValueError',
        message,
        evidence: [
          { fact: `${names[0]} holds ${say(0)}`, source: context.source(truth) },
          { fact: `${names[1]} holds ${say(1)}`, source: context.source(predicted) },
        ],
        explanation: `\`${metric}\` raises ValueError: ${names[0]} holds ${say(0)} and ${names[1]} ${say(1)}.`,
        remedy: kinds.some((kind) => kind?.startsWith('continuous'))
          ? 'Turn scores into classes first (a threshold, or argmax), or use a metric for regression.'
          : 'Use the same encoding of the classes on both sides.',
      });
    },
  },
});

/** Whether a target has two dimensions and more than one column; undefined when that is not known. */
function isTable(fact: Fact): boolean | undefined {
  const shape = shapeOf(fact);
  if (!shape || shape[0] === 0) return undefined;
  if (shape.length === 1) return false;
  return shape.length === 2 && typeof shape[1] === 'number' && shape[1] > 1 ? true : undefined;
}

function tableMessage([a, b]: readonly [boolean | undefined, boolean | undefined]): string | undefined {
  if (a === undefined || b === undefined || a === b) return undefined;
  return `Classification metrics can't handle a mix of ${a ? 'continuous-multioutput and multiclass' : 'multiclass and continuous-multioutput'} targets`;
}

type Kinds = readonly [ReturnType<typeof targetKind>, ReturnType<typeof targetKind>];
type Types = readonly [ReturnType<typeof labelType>, ReturnType<typeof labelType>];

function kindMessage([a, b]: Kinds): string | undefined {
  if (!a || !b) return undefined;
  const discrete = (kind: string) => kind === 'binary' || kind === 'multiclass';
  if (a !== b && !(discrete(a) && discrete(b)))
    return `Classification metrics can't handle a mix of ${a} and ${b} targets`;
  return a === b && !discrete(a) ? `${a} is not supported` : undefined;
}

function typeMessage([a, b]: Types, [first, second]: Kinds): string | undefined {
  if (!a || !b || a === b || !first || !second) return undefined;
  return 'Mix of label input types (string and number)…';
}
