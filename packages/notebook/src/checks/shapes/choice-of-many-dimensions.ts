/**
 * # A random choice among rows
 *
 * ## What
 * `np.random.choice(a)` where a has two or more dimensions, such as a list of pairs.
 *
 * ## Why it crashes
 * `choice` takes a one-dimensional array or a number: `ValueError: a must be 1-dimensional`.
 *
 * ## Example
 * ```python state
 * import numpy as np
 *
 * pairs = [("a", 1), ("b", 2)]
 * ```
 * ```python cell
 * np.random.choice(pairs)
 * ```
 *
 * ## Fix
 * Choose a position: `pairs[np.random.randint(len(pairs))]`, or use `random.choice(pairs)`.
 * ```python fixed
 * pairs[np.random.randint(len(pairs))]
 * ```
 *
 * ## When it stays silent
 * When the number of dimensions is not known.
 */

import { nestedShape } from '../../libraries/numpy/functions.js';
import { argument } from '../../reasoning/arguments.js';
import { defineCheck } from '../define-check.js';

export default defineCheck({
  id: 'shapes/choice-of-many-dimensions',
  title: 'A random choice among rows',
  rung: 'contracts',
  libraries: ['numpy'],
  on: {
    call(event, context) {
      if (event.target !== 'numpy.random.choice') return;
      const given = argument(event, 0, 'a');
      if (!given) return;
      const { fact } = given;
      const element =
        fact.kind === 'list' && fact.element !== undefined ? context.look(fact.element) : undefined;
      const dimensions =
        fact.kind === 'ndarray'
          ? fact.shape?.length
          : fact.kind === 'dataframe'
            ? 2
            : fact.kind === 'list'
              ? (nestedShape(context, fact)?.shape.length ??
                (element?.kind === 'tuple' && (fact.length ?? 0) > 0 ? 2 : undefined))
              : undefined;
      if (dimensions === undefined || dimensions < 2) return;
      const name = context.text(given.node);
      context.report({
        exception: 'ValueError',
        message: 'a must be 1-dimensional',
        evidence: [{ fact: `${name} has ${dimensions} dimensions`, source: context.source(given) }],
        explanation: `\`${context.text(event.node)}\` raises ValueError: ${name} has ${dimensions} dimensions, and choice takes one.`,
        remedy: `Choose a position instead: \`${name}[np.random.randint(len(${name}))]\`.`,
      });
    },
  },
});
