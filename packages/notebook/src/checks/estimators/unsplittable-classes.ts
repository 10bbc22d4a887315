/**
 * # A stratified split of too few samples per class
 *
 * ## What
 * `train_test_split(..., stratify=y)` when a class has a single member, or when one side gets fewer rows than there are
 * classes.
 *
 * ## Why it crashes
 * Every class must be on both sides; scikit-learn raises `ValueError` when that is impossible.
 *
 * ## Example
 * ```python state
 * import numpy as np
 * from sklearn.model_selection import train_test_split
 *
 * X = np.random.rand(5, 2)
 * y = np.array(["common"] * 4 + ["rare"])
 * ```
 * ```python cell
 * train_test_split(X, y, stratify=y)
 * ```
 *
 * ## Fix
 * Drop or merge classes with one member, enlarge `test_size`, or split without `stratify`.
 * ```python fixed
 * train_test_split(X, y)
 * ```
 *
 * ## When it stays silent
 * When the classes are not known completely.
 */

import { splitSizes } from '../../libraries/sklearn/splitting.js';
import { argument } from '../../reasoning/arguments.js';
import { defineCheck } from '../define-check.js';
import { dataOf } from './shared.js';
import { valuesOf } from './targets.js';

export default defineCheck({
  id: 'estimators/unsplittable-classes',
  title: 'A stratified split of too few samples per class',
  rung: 'contracts',
  libraries: ['sklearn'],
  on: {
    call(event, context) {
      if (event.target !== 'sklearn.model_selection.train_test_split' || !event.args.complete) return;
      const stratify = argument(event, null, 'stratify');
      const shuffle = argument(event, null, 'shuffle');
      if (!stratify || (shuffle && context.literal(shuffle.ref) !== true)) return;
      const values = valuesOf(context, stratify.fact);
      const { rows } = dataOf(context, stratify.fact);
      if (values?.unique === undefined || values.hasNan !== false) return;
      const given = context.text(stratify.node);
      const hasSingle = values.rarest === 1 || (rows !== undefined && rows < 2 * values.unique);
      const sizes = splitSizes(context, event, rows);
      const short =
        sizes && (['train', 'test'] as const).find((side) => sizes[side] > 0 && sizes[side] < values.unique!);
      if (!hasSingle && !short) return;
      const evidence = [
        {
          fact: `${given} holds ${values.unique} classes${values.rarest === undefined ? '' : `, the rarest ${values.rarest} times`}`,
          source: context.source(stratify),
        },
      ];
      context.report({
        exception: 'ValueError',
        message: hasSingle
          ? 'The least populated classes in y have only 1 member, which is too few. The minimum number of groups for any class cannot be less than 2.…'
          : `The ${short}_size = ${sizes![short!]} should be greater or equal to the number of classes = ${values.unique}`,
        evidence,
        explanation: hasSingle
          ? `\`train_test_split\` raises ValueError: a class of ${given} has a single member, which cannot be on both sides.`
          : `\`train_test_split\` raises ValueError: the ${short} part gets ${sizes![short!]} rows, fewer than the ${values.unique} classes.`,
        remedy: hasSingle
          ? `Drop or merge classes with one member, or leave \`stratify\` out.`
          : `Choose a larger ${short}_size, or leave \`stratify\` out.`,
      });
    },
  },
});
