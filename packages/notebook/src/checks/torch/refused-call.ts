/**
 * # What the real library refuses
 *
 * ## What
 * A module is applied to tensors, a loss is computed, tensors are combined, or a loader is drawn from, and torch itself
 * raises: shapes or dtypes that do not fit, weights that a module does not have, samples that make no batch, a backward pass
 * that cannot be.
 *
 * ## Why it crashes
 * The library was asked: a copy of the kernel, isolated and ended at once, did the same with tensors of the same shape and
 * dtype, and it raised with different contents alike.
 *
 * ## Example
 * ```python state
 * import torch
 * from torch import nn
 *
 * encoder = nn.GRU(8, 16)
 * x = torch.zeros(20, 4, 8)
 * ```
 * ```python cell
 * output, hidden = encoder(x, torch.zeros(1, 3, 16))
 * ```
 *
 * ## Fix
 * Do what the message of the library asks for. Mostly the size of a layer is wrong, or a `view`, `permute` or
 * `unsqueeze` is missing. encoder(x[..., :8])
 * ```python fixed
 * output, hidden = encoder(x, torch.zeros(1, 4, 16))
 * ```
 *
 * ## When it stays silent
 * When a shape or dtype is not known, when the module was changed in the cell, when the outcome depends on the contents,
 * when the kernel cannot be copied safely, and when the answer takes too long.
 */
import { exceptionText } from '@grus/core';
import { defineCheck } from '../define-check.js';

export default defineCheck({
  id: 'torch/refused-call',
  title: 'What the real library refuses',
  rung: 'contracts',
  libraries: ['torch'],
  general: true,
  on: {
    refusal(event, context) {
      if (event.isReal) return;
      const { exception, message } = event;
      const [line = ''] = message.split('\n');
      context.report({
        exception,
        message,
        evidence: [
          {
            fact: `asked in a copy of the kernel, it raises ${exception} with any contents of that form`,
            source: 'the library, in a copy of the kernel',
          },
        ],
        explanation: `\`${context.text(event.node)}\` raises ${exceptionText({ type: exception, message: line })}`,
        remedy: 'Change the shapes, dtypes or arguments as the message says.',
      });
    },
  },
});
