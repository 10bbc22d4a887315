/**
 * # As many targets as values are needed
 *
 * ## What
 * `a, b = values` (also in a `for`) where the number of values is known and differs from the number of targets.
 *
 * ## Why it crashes
 * Python raises `ValueError: too many values to unpack` or `not enough values to unpack`.
 *
 * ## Example
 * ```python state
 * import numpy as np
 *
 * X = np.ones((10, 3, 2))
 * ```
 * ```python cell
 * rows, columns = X.shape
 * ```
 *
 * ## Fix
 * Name as many targets as there are values, or collect the rest with `*rest`.
 * ```python fixed
 * rows, columns, channels = X.shape
 * ```
 *
 * ## When it stays silent
 * When the number of values is not known.
 */
import { lengthOf } from '../../reasoning/kinds.js';
import { defineCheck } from '../define-check.js';

const sized = new Set([
  'list',
  'tuple',
  'dict',
  'range',
  'ndarray',
  'tensor',
  'index',
  'set',
  'scalar',
  'series',
  'iterator',
]);

export default defineCheck({
  id: 'types/unpack-count',
  title: 'As many targets as values are needed',
  rung: 'contracts',
  libraries: [],
  on: {
    unpack(event, context) {
      const { fact } = event.value;
      const isText = fact.kind === 'scalar' && fact.type !== 'str';
      const count =
        fact.kind === 'dataframe'
          ? fact.columns?.length
          : sized.has(fact.kind) && !isText
            ? fact.kind === 'iterator'
              ? (fact.items?.length ?? fact.length)
              : lengthOf(fact)
            : undefined;
      if (count === undefined || (event.starred ? count >= event.targets : count === event.targets)) return;
      const name = context.text(event.value.node);
      const expected = event.starred ? `at least ${event.targets}` : String(event.targets);
      context.report({
        exception: 'ValueError',
        message:
          count > event.targets
            ? `too many values to unpack (expected ${event.targets})`
            : `not enough values to unpack (expected ${expected}, got ${count})`,
        evidence: [
          {
            fact: `${name} has ${count} value${count === 1 ? '' : 's'}`,
            source: context.source(event.value),
          },
        ],
        explanation: `Unpacking \`${name}\`, which has ${count} value${count === 1 ? '' : 's'}, into ${expected} target${event.targets === 1 ? '' : 's'} raises ValueError.`,
        remedy: `Name ${count} target${count === 1 ? '' : 's'}, or collect the rest with \`*rest\`.`,
      });
    },
  },
});
