/**
 * # The extreme of nothing
 *
 * ## What
 * `min`, `max`, `random.choice`, `statistics.mean`, `np.max` or `pop()` of a container that is known to be empty.
 *
 * ## Why it crashes
 * There is no element to return: `ValueError` (or `IndexError` for `random.choice` and `list.pop`).
 *
 * ## Example
 * ```python state
 * losses = []
 * ```
 * ```python cell
 * min(losses)
 * ```
 *
 * ## Fix
 * Fill the container first, or give a default: `min(losses, default=None)`.
 * ```python fixed
 * min(losses, default=None)
 * ```
 *
 * ## When it stays silent
 * With a default or other options, such as an axis, and when the container may have elements.
 */

import { sizeOf } from '../../libraries/numpy/shapes.js';
import type { Fact } from '../../reasoning/facts.js';
import { lengthOf } from '../../reasoning/kinds.js';
import { defineCheck } from '../define-check.js';

const messages: Record<string, readonly [string, string]> = {
  'builtins.min': ['ValueError', 'min() … empty…'],
  'builtins.max': ['ValueError', 'max() … empty…'],
  'random.choice': ['IndexError', 'Cannot choose from an empty sequence'],
  'statistics.mean': ['StatisticsError', 'mean requires at least one data point'],
  'numpy.max': ['ValueError', 'zero-size array to reduction operation maximum which has no identity'],
  'numpy.min': ['ValueError', 'zero-size array to reduction operation minimum which has no identity'],
  'numpy.argmax': ['ValueError', 'attempt to get argmax of an empty sequence'],
  'numpy.argmin': ['ValueError', 'attempt to get argmin of an empty sequence'],
};

export default defineCheck({
  id: 'values/empty-sequence',
  title: 'The extreme of nothing',
  rung: 'contracts',
  libraries: [],
  on: {
    call(event, context) {
      const isPop = event.method === 'pop' && event.receiver?.fact.kind === 'list';
      const entry =
        event.target !== null && Object.hasOwn(messages, event.target) ? messages[event.target] : undefined;
      const given = isPop ? event.receiver! : entry ? event.args.positional[0] : undefined;
      if (!given || !event.args.complete) return;
      // Options make another question of it: a default, a start value, one axis of several.
      if ([...event.args.keywords.keys()].some((name) => name !== 'key')) return;
      if (!isPop && event.args.positional.length !== 1) return;
      if (!isEmpty(given.fact, event.target?.startsWith('numpy.') ?? false)) return;
      const [exception, message] = isPop ? ['IndexError', 'pop from empty list'] : entry!;
      const name = context.text(given.node);
      context.report({
        exception: exception!,
        message: message!,
        evidence: [{ fact: `${name} is empty`, source: context.source(given) }],
        explanation: `\`${context.text(event.node)}\` raises ${exception}: ${name} is empty.`,
        remedy: 'Fill it first, or handle the empty case.',
      });
    },
  },
});

/** numpy makes an array of a sequence; a text or a dict is one element for it. */
function isEmpty(fact: Fact, isForArray: boolean): boolean {
  if (fact.kind === 'ndarray') return fact.shape !== undefined && sizeOf(fact.shape) === 0;
  if (isForArray && (fact.kind === 'scalar' || fact.kind === 'dict')) return false;
  if (fact.kind === 'scalar') return fact.type === 'str' && fact.value === '';
  return ['list', 'tuple', 'dict', 'range'].includes(fact.kind) && lengthOf(fact) === 0;
}
