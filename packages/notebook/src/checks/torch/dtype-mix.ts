/**
 * # A layer and an input of different dtypes
 *
 * ## What
 * A tensor of another dtype than the layer's weights is given to it: mostly doubles from NumPy to a layer of floats.
 *
 * ## Why it crashes
 * Matrix products and convolutions do not convert; torch raises `RuntimeError: mat1 and mat2 must have the same dtype`.
 *
 * ## Example
 * ```python state
 * import torch
 * from torch import nn
 *
 * x = torch.zeros(5, 4, dtype=torch.float64)
 * layer = nn.Linear(4, 2)
 * ```
 * ```python cell
 * layer(x)
 * ```
 *
 * ## Fix
 * Convert the data: `x.float()`, or `torch.tensor(array, dtype=torch.float32)`.
 * ```python fixed
 * layer(x.float())
 * ```
 *
 * ## When it stays silent
 * When either dtype is not known, and where autocast is on, by the cell or since an earlier one.
 */

import type { TorchModule } from '../../libraries/torch/kinds.js';
import type { Fact } from '../../reasoning/facts.js';
import { type CheckContext, defineCheck } from '../define-check.js';
import { moduleCall, scalarType } from './shared.js';

const strict = new Set(['torch.nn.Linear', 'torch.nn.Conv1d', 'torch.nn.Conv2d']);

export default defineCheck({
  id: 'torch/dtype-mix',
  title: 'A layer and an input of different dtypes',
  rung: 'contracts',
  libraries: ['torch'],
  on: {
    call(event, context) {
      const call = moduleCall(event);
      if (!call || context.cell.source.includes('autocast')) return;
      const { module, input } = call;
      const layer = firstStrict(context, module);
      const weight = layer && weightOf(context, layer);
      const own = weight?.kind === 'tensor' ? weight.dtype : undefined;
      const given = scalarType(input.fact.dtype);
      const wanted = scalarType(own);
      if (!layer || given === undefined || wanted === undefined || given === wanted) return;
      const isLinear = layer.class === 'torch.nn.Linear';
      const name = context.text(input.node);
      context.report({
        exception: 'RuntimeError',
        message: isLinear
          ? `mat1 and mat2 must have the same dtype, but got ${given} and ${wanted}`
          : `Input type (${given}) and bias type (${wanted}) should be the same`,
        evidence: [
          { fact: `${name} is of ${input.fact.dtype}`, source: context.source(input) },
          {
            fact: `the weights of ${layer.class!.split('.').at(-1)} are of ${own}`,
            source: context.source(event.callee),
          },
        ],
        explanation: `\`${context.text(event.node)}\` raises RuntimeError: ${name} is of ${input.fact.dtype}, the layer's weights of ${own}.`,
        remedy:
          own === 'float32'
            ? `Convert the input: \`${name}.float()\`.`
            : `Convert the input: \`${name}.to(torch.${own})\`.`,
      });
    },
  },
});

/** The layer that meets the input itself: the module, or the first of a sequence. */
function firstStrict(context: CheckContext, module: TorchModule): TorchModule | undefined {
  if (module.of !== undefined) return undefined;
  if (strict.has(module.class ?? '')) return module;
  if (module.class !== 'torch.nn.Sequential') return undefined;
  const ref = module.layers?.[0]?.object;
  const first = ref === undefined ? undefined : context.look(ref);
  return first?.kind === 'torch-module' ? firstStrict(context, first) : undefined;
}

function weightOf(context: CheckContext, layer: TorchModule): Fact | undefined {
  const ref = layer.parameters?.get('weight');
  return ref === undefined ? undefined : context.look(ref);
}
