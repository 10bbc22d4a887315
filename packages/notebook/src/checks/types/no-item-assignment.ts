/**
 * # An item is set in something that cannot be changed
 *
 * ## What
 * `x[i] = value` where x is a tuple, a text, a range or a tensor of TensorFlow.
 *
 * ## Why it crashes
 * Their elements cannot be replaced: `TypeError: … object does not support item assignment`.
 *
 * ## Example
 * ```python state
 * point = (3, 4)
 * ```
 * ```python cell
 * point[0] = 5
 * ```
 *
 * ## Fix
 * Make a list of it, or a NumPy array; `tf.tensor_scatter_nd_update` or `tf.Variable` for tensors.
 * ```python fixed
 * point = [*point]
 * point[0] = 5
 * ```
 *
 * ## When it stays silent
 * For user-defined classes, and when it is not known what x is.
 */
import type { Fact } from '../../reasoning/facts.js';
import { defineCheck } from '../define-check.js';
import { typeName } from '../wording.js';

export default defineCheck({
  id: 'types/no-item-assignment',
  title: 'An item is set in something that cannot be changed',
  rung: 'contracts',
  libraries: [],
  on: {
    storeItem(event, context) {
      const kind = fixedKind(event.container.fact);
      if (kind === undefined) return;
      const name = context.text(event.container.node);
      context.report({
        exception: 'TypeError',
        message: `'${kind}' object does not support item assignment`,
        evidence: [{ fact: `${name} is of class ${kind}`, source: context.source(event.container) }],
        explanation: `\`${context.text(event.node)} = …\` raises TypeError: ${name} is of class ${kind}, whose items cannot be set.`,
        remedy: kind.startsWith('tensorflow.')
          ? 'Use `tf.tensor_scatter_nd_update`, a `tf.Variable` with `.assign`, or a NumPy array.'
          : `Make it changeable first: \`${name} = list(${name})\`.`,
      });
    },
  },
});

function fixedKind(fact: Fact): string | undefined {
  if (fact.class === 'builtins.tuple' && fact.kind === 'tuple') return 'tuple';
  if (fact.kind === 'scalar' && fact.type === 'str' && fact.class === 'builtins.str') return 'str';
  if (fact.kind === 'range') return typeName(fact);
  return fact.kind === 'instance' && /^tensorflow\.(.*\.)?EagerTensor$/.test(fact.class ?? '')
    ? 'tensorflow.python.framework.ops.EagerTensor'
    : undefined;
}
