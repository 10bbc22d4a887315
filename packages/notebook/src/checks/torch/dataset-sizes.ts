/**
 * # Tensors of different lengths in one dataset
 *
 * ## What
 * `TensorDataset` gets tensors whose first dimensions differ.
 *
 * ## Why it crashes
 * Each sample takes one row of every tensor; torch asserts that there are equally many (`AssertionError`).
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
import { defineCheck } from '../define-check.js';

export default defineCheck({
  id: 'torch/dataset-sizes',
  title: 'Tensors of different lengths in one dataset',
  rung: 'contracts',
  libraries: ['torch'],
  on: {
    call(event, context) {
      if (event.target !== 'torch.utils.data.TensorDataset' || !event.args.complete) return;
      const inputs = event.args.positional;
      const lengths = inputs.map(({ fact }) => (fact.kind === 'tensor' ? fact.shape?.[0] : undefined));
      const known = lengths.filter((length): length is number => typeof length === 'number');
      if (known.length !== lengths.length || known.every((length) => length === known[0])) return;
      context.report({
        exception: 'AssertionError',
        message: 'Size mismatch between tensors',
        evidence: inputs.map((operand, index) => ({
          fact: `${context.text(operand.node)} has ${known[index]} rows`,
          source: context.source(operand),
        })),
        explanation: `\`${context.text(event.node)}\` raises AssertionError: the tensors have ${known.join(' and ')} rows.`,
        remedy: 'Make all tensors from the same rows.',
      });
    },
  },
});
