/**
 * # A split that leaves nothing to train on
 *
 * ## What
 * `train_test_split` gets no rows, or so few that the training part would be empty.
 *
 * ## Why it crashes
 * scikit-learn refuses to make an empty training set and raises `ValueError`.
 *
 * ## Example
 * ```python state
 * import numpy as np
 * from sklearn.model_selection import train_test_split
 *
 * X = np.ones((5, 2))
 * X = X[X[:, 0] > 3]
 * ```
 * ```python cell
 * train_test_split(X, test_size=0.2)
 * ```
 *
 * ## Fix
 * Find out why the data is empty: a filter, a `dropna`, a merge without matches.
 * ```python fixed
 * X = np.ones((5, 2))
 * train_test_split(X, test_size=0.2)
 * ```
 *
 * ## When it stays silent
 * When the number of rows or the sizes are not known.
 */

import { splitSizes } from '../../libraries/sklearn/splitting.js';
import { argument } from '../../reasoning/arguments.js';
import { defineCheck } from '../define-check.js';
import { dataOf } from './shared.js';

export default defineCheck({
  id: 'estimators/empty-split',
  title: 'A split that leaves nothing to train on',
  rung: 'contracts',
  libraries: ['sklearn'],
  on: {
    call(event, context) {
      if (event.target !== 'sklearn.model_selection.train_test_split' || !event.args.complete) return;
      const [first] = event.args.positional;
      const rows = first && dataOf(context, first.fact).rows;
      const sizes = splitSizes(context, event, rows);
      if (!first || rows === undefined || !sizes) return;
      const share = argument(event, null, 'test_size');
      const size = share ? context.literal(share.ref) : 0.25;
      if (typeof size !== 'number' || size <= 0) return;
      const isTooLarge = size >= 1 && size >= rows;
      if (sizes.train > 0 && !isTooLarge) return;
      const given = context.text(first.node);
      context.report({
        exception: 'ValueError',
        message: isTooLarge
          ? `test_size=${size} should be either positive and smaller than the number of samples ${rows} or a float in the (0, 1) range`
          : `With n_samples=${rows}, test_size=${size} and train_size=None, the resulting train set will be empty. Adjust any of the aforementioned parameters.`,
        evidence: [{ fact: `${given} has ${rows} rows`, source: context.source(first) }],
        explanation: `\`train_test_split\` raises ValueError: ${given} has ${rows} rows, which leaves nothing to train on.`,
        remedy:
          rows === 0 ? `Find out why ${given} is empty before splitting it.` : 'Choose a smaller test_size.',
      });
    },
  },
});
