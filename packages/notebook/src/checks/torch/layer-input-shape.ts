/**
 * # A layer that cannot take the shape it is given
 *
 * ## What
 * A tensor reaches a layer (alone, in a `Sequential`, or inside the `forward` of a module) with another number of features,
 * channels or dimensions than the layer was made for.
 *
 * ## Why it crashes
 * The weights of a layer have fixed sizes; torch raises `RuntimeError` when they do not fit the input.
 *
 * ## Example
 * ```python state
 * import torch
 * from torch import nn
 *
 * x = torch.zeros(64, 400)
 * ```
 * ```python cell
 * nn.Linear(256, 64)(x)
 * ```
 *
 * ## Fix
 * Make the layer as wide as what comes before it, or reshape, flatten or permute the input.
 * ```python fixed
 * nn.Linear(400, 64)(x)
 * ```
 *
 * ## When it stays silent
 * When the shape is not known, and after layers whose output shape does not follow from their attributes.
 */

import { forward, type Refusal, recurrent, recurrentLayers } from '../../libraries/torch/forward.js';
import type { Shape } from '../../reasoning/facts.js';
import { defineCheck } from '../define-check.js';
import { shapeText } from '../wording.js';
import { moduleCall } from './shared.js';

export default defineCheck({
  id: 'torch/layer-input-shape',
  title: 'A layer that cannot take the shape it is given',
  rung: 'contracts',
  libraries: ['torch'],
  on: {
    call(event, context) {
      const call = moduleCall(event);
      const shape = call?.input.fact.shape;
      if (!call || !shape || call.module.of !== undefined) return;
      const { module, input } = call;
      const result = recurrentLayers.has(module.class ?? '')
        ? recurrent(context.look, module, shape)
        : forward(context.look, module, shape);
      if (!result || !('refusal' in result)) return;
      const { refusal } = result;
      const given = context.text(input.node);
      context.report({
        exception: refusal.exception,
        message: refusal.message,
        evidence: [
          { fact: `${given} has the shape ${shapeText(shape)}`, source: context.source(input) },
          {
            fact: `the layer ${refusal.layer} gets the shape ${shapeText(refusal.input)}`,
            source: context.source(event.callee),
          },
        ],
        explanation: `\`${context.text(event.node)}\` raises ${refusal.exception}: ${refusal.layer} cannot take the shape ${shapeText(refusal.input)}.`,
        remedy: remedyFor(refusal, shape),
      });
    },
  },
});

function remedyFor({ layer, input }: Refusal, whole: Shape): string {
  if (layer.startsWith('Linear'))
    return `Make the layer ${input.at(-1) ?? 'as many'} features wide, or flatten and reshape what comes before it.`;
  if (layer.startsWith('Conv') && whole.length === 3)
    return 'Add the missing dimension: `x.unsqueeze(1)` for channels, `x.unsqueeze(0)` for a batch of one.';
  if (layer.startsWith('Conv'))
    return 'Channels come before height and width: `x.permute(0, 3, 1, 2)` for images with channels last.';
  return 'Reshape the input, or make the layer for the shape that reaches it.';
}
