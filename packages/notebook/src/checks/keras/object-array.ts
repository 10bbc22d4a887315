/**
 * # An array of Python objects given to TensorFlow
 *
 * ## What
 * A NumPy array of dtype `object` that holds numbers or booleans is turned into a tensor or a dataset, or passed to a Keras model.
 *
 * ## Why it crashes
 * TensorFlow converts arrays by their dtype, and `object` has none that it knows; it raises `ValueError`.
 *
 * ## Example
 * ```python state
 * import numpy as np
 * import tensorflow as tf
 *
 * X = np.array([[1.0, 2], [True, 3]], dtype=object)
 * ```
 * ```python cell
 * tf.constant(X)
 * ```
 *
 * ## Fix
 * Convert first: `X.astype('float32')`. tf.constant(X[:, 0].astype("float32"))
 * ```python fixed
 * tf.constant(X.astype("float32"))
 * ```
 *
 * ## When it stays silent
 * For arrays of strings, which TensorFlow accepts, and when it is not known what the array holds.
 */
import type { EventOf, Operand } from '../../reasoning/events.js';
import type { Fact } from '../../reasoning/facts.js';
import { type CheckContext, defineCheck } from '../define-check.js';
import { atLeast } from '../versions.js';
import { dataShape, modelCall } from './shared.js';

const converters =
  /^tensorflow\.(constant|convert_to_tensor|data\.Dataset\.from_tensor_slices|data\.Dataset\.from_tensors)$/;

export default defineCheck({
  id: 'keras/object-array',
  title: 'An array of Python objects given to TensorFlow',
  rung: 'contracts',
  libraries: ['keras', 'tensorflow'],
  on: {
    call(event, context) {
      const wrong = objectsIn(event, context);
      if (!wrong) return;
      const name = context.text(wrong.node);
      const isModel = event.receiver?.fact.kind === 'keras-model';
      context.report({
        exception: 'ValueError',
        message: isModel
          ? 'Invalid dtype: object'
          : 'Failed to convert a NumPy array to a Tensor (Unsupported object type…',
        evidence: [{ fact: 'an array of dtype object that holds no texts', source: context.source(wrong) }],
        explanation: `\`${context.text(event.node.func)}(…)\` raises ValueError: ${name} holds an array of dtype object.`,
        remedy: "Convert it first: `.astype('float32')`.",
      });
    },
  },
});

function objectsIn(event: EventOf<'call'>, context: CheckContext): Operand | undefined {
  const call = modelCall(event);
  if (call) {
    const isReady = call.method === 'predict' || call.model.compiled === true;
    const [rows, targets] = [dataShape(call.x)?.[0], dataShape(call.y)?.[0]];
    const isEven = call.y === undefined || (rows !== undefined && rows === targets);
    return isReady && isEven && atLeast(context, 'keras', [3, 0]) && call.x && holdsObjects(call.x.fact)
      ? call.x
      : undefined;
  }
  const [first] = event.args.positional;
  if (!first || !converters.test(event.target ?? '') || event.args.keywords.has('dtype')) return undefined;
  const { fact } = first;
  const parts = fact.kind === 'tuple' && event.target?.includes('Dataset') ? (fact.items ?? []) : [first.ref];
  return parts.some((ref) => holdsObjects(context.look(ref))) ? first : undefined;
}

const numbers = new Set(['int', 'float', 'bool', 'NoneType', 'list', 'tuple', 'ndarray']);

function holdsObjects(fact: Fact): boolean {
  if (fact.kind !== 'ndarray' || fact.dtype !== 'object') return false;
  const types = fact.values?.elementTypes ?? [];
  return types.length > 0 && types.every((type) => numbers.has(type.split('.').at(-1)!));
}
