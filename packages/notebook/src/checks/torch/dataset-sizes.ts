/**
 * # Tensors of different lengths in one dataset
 *
 * ## What
 * `TensorDataset`, or `tf.data.Dataset.from_tensor_slices`, gets data whose first dimensions differ.
 *
 * ## Why it crashes
 * Each sample takes one row of every tensor; torch asserts that there are equally many (`AssertionError`), TensorFlow raises
 * `ValueError`.
 *
 * ## Example
 * ```python state
 * import torch
 * from torch.utils.data import TensorDataset
 *
 * X, y = torch.zeros(100, 3), torch.zeros(99)
 * ```
 * ```python cell
 * TensorDataset(X, y)
 * ```
 *
 * ## Fix
 * Make both from the same rows.
 * ```python fixed
 * TensorDataset(X[:99], y)
 * ```
 *
 * ## When it stays silent
 * When a length is not known.
 */
import type { Operand } from '../../reasoning/events.js';
import { shapeOf } from '../../reasoning/kinds.js';
import { type CheckContext, defineCheck } from '../define-check.js';
import type { CallEvent } from './shared.js';

const torchDataset = 'torch.utils.data.TensorDataset';

export default defineCheck({
  id: 'torch/dataset-sizes',
  title: 'Tensors of different lengths in one dataset',
  rung: 'contracts',
  libraries: ['torch', 'tensorflow'],
  on: {
    call(event, context) {
      const inputs = event.args.complete ? inputsOf(event, context) : [];
      const lengths = inputs.map(({ fact }) => shapeOf(fact)?.[0]);
      const known = lengths.filter((length): length is number => typeof length === 'number');
      if (known.length !== lengths.length || known.every((length) => length === known[0])) return;
      const isTorch = event.target === torchDataset;
      const exception = isTorch ? 'AssertionError' : 'ValueError';
      context.report({
        exception,
        message: isTorch
          ? 'Size mismatch between tensors'
          : `Dimensions ${known[0]} and ${known.find((length) => length !== known[0])} are not compatible`,
        evidence: inputs.map((operand, index) => ({
          fact: `${context.text(operand.node)} has ${known[index]} rows`,
          source: context.source(operand),
        })),
        explanation: `\`${context.text(event.node)}\` raises ${exception}: the tensors have ${known.join(' and ')} rows.`,
        remedy: 'Make all tensors from the same rows.',
      });
    },
  },
});

/** What the dataset is made of, row by row: arguments of torch's, the parts of one argument of TensorFlow's. */
function inputsOf(event: CallEvent, context: CheckContext): readonly Operand[] {
  const { positional } = event.args;
  if (event.target === torchDataset)
    return positional.every(({ fact }) => fact.kind === 'tensor') ? positional : [];
  const [given] = positional;
  if (event.target !== 'tensorflow.data.Dataset.from_tensor_slices' || given?.fact.kind !== 'tuple')
    return [];
  return (given.fact.items ?? []).map((ref) => ({ node: given.node, ref, fact: context.look(ref) }));
}
