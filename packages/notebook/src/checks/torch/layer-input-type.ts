/**
 * # A layer that gets something other than a tensor
 *
 * ## What
 * A layer of `torch.nn` is called with a NumPy array, a list, a frame, a device or a text.
 *
 * ## Why it crashes
 * The layer's function takes tensors only: `TypeError: linear(): argument 'input' (position 1) must be Tensor, not …`.
 *
 * ## Example
 * ```python state
 * import numpy as np
 * import torch
 * from torch import nn
 *
 * layer = nn.Linear(3, 2)
 * x = np.ones((4, 3))
 * ```
 * ```python cell
 * layer(x)
 * ```
 *
 * ## Fix
 * Make a tensor first: `torch.as_tensor(x, dtype=torch.float32)`.
 * ```python fixed
 * layer(torch.as_tensor(x, dtype=torch.float32))
 * ```
 *
 * ## When it stays silent
 * When the type of the argument is not known, and for layers that take other inputs.
 */
import type { Fact } from '../../reasoning/facts.js';
import { defineCheck } from '../define-check.js';
import { article, typeName } from '../wording.js';

const layers = new Set([
  'Linear',
  'Conv1d',
  'Conv2d',
  'ReLU',
  'Sigmoid',
  'MaxPool2d',
  'Dropout',
  'Embedding',
]);

export default defineCheck({
  id: 'torch/layer-input-type',
  title: 'A layer that gets something other than a tensor',
  rung: 'contracts',
  libraries: ['torch'],
  on: {
    call(event, context) {
      const module = event.callee.fact;
      const [input] = event.args.positional;
      if (module.kind !== 'torch-module' || !input || !isNoTensor(input.fact)) return;
      const name = /^torch\.nn\.(\w+)$/.exec(module.class ?? '')?.[1];
      if (name === undefined || !layers.has(name)) return;
      const kind = typeName(input.fact);
      context.report({
        exception: 'TypeError',
        message: `${name.toLowerCase()}(): argument 'input' (position 1) must be Tensor, not …`,
        evidence: [
          { fact: `${context.text(input.node)} is ${article(kind)}`, source: context.source(input) },
        ],
        explanation: `\`${context.text(event.node)}\` fails: ${name} takes a tensor, and ${context.text(input.node)} is ${article(kind)}.`,
        remedy:
          input.fact.kind === 'instance'
            ? 'Pass the batch instead.'
            : 'Make a tensor first: `torch.as_tensor(…, dtype=torch.float32)`.',
      });
    },
  },
});

function isNoTensor(fact: Fact): boolean {
  if (fact.kind === 'instance') return fact.class === 'torch.device';
  return (
    ['ndarray', 'list', 'tuple', 'dict', 'dataframe', 'series', 'none'].includes(fact.kind) ||
    (fact.kind === 'scalar' && fact.class !== undefined)
  );
}
