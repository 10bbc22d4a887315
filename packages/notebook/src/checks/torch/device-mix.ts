/**
 * # A layer and an input on different devices
 *
 * ## What
 * A module whose weights are on one device gets a tensor that is on another.
 *
 * ## Why it crashes
 * torch does not move data by itself and raises `RuntimeError`.
 *
 * ## Example
 * State: `model` on `cuda:0`, `x` on the CPU. Cell: `model(x)`.
 *
 * ## Fix
 * Move the data to the model's device: `x = x.to(device)`.
 *
 * ## When it stays silent
 * When either device is not known, or something may have moved the tensor or the module.
 */
import type { Fact, Model } from '../../reasoning/facts.js';
import { type CheckContext, defineCheck } from '../define-check.js';
import { moduleCall } from './shared.js';

const meeting = new Set([
  'torch.nn.Linear',
  'torch.nn.Conv1d',
  'torch.nn.Conv2d',
  'torch.nn.Embedding',
  'torch.nn.LSTM',
  'torch.nn.GRU',
]);

export default defineCheck({
  id: 'torch/device-mix',
  title: 'A layer and an input on different devices',
  rung: 'contracts',
  libraries: ['torch'],
  status: 'stable',
  on: {
    call(event, context) {
      const call = moduleCall(event);
      if (!call) return;
      const { module, input } = call;
      const { device, shape } = input.fact;
      const own = deviceOf(context, module);
      if (device === undefined || own === undefined || device === own || !shape || shape.length === 0) return;
      const name = context.text(input.node);
      const owner = context.text(event.callee.node);
      context.report({
        exception: 'RuntimeError',
        message: `Expected all tensors to be on the same device, but found at least two devices, ${own} and ${device}!`,
        evidence: [
          { fact: `${name} is on ${device}`, source: context.source(input) },
          { fact: `the weights of ${owner} are on ${own}`, source: context.source(event.callee) },
        ],
        explanation: `\`${context.text(event.node)}\` raises RuntimeError: ${name} is on ${device}, ${owner} on ${own}.`,
        remedy: `Move the data first: \`${name} = ${name}.to('${own}')\`.`,
      });
    },
  },
});

/** Device of the layer that meets the input itself. */
function deviceOf(context: CheckContext, module: Model): string | undefined {
  if (module.of !== undefined) return undefined;
  if (module.class === 'torch.nn.Sequential') {
    const ref = module.layers?.[0]?.object;
    const first: Fact | undefined = ref === undefined ? undefined : context.look(ref);
    return first?.kind === 'torch-module' ? deviceOf(context, first) : undefined;
  }
  if (!meeting.has(module.class ?? '')) return undefined;
  const ref = module.parameters?.get('weight') ?? module.parameters?.get('weight_ih_l0');
  const weight = ref === undefined ? undefined : context.look(ref);
  return weight?.kind === 'tensor' ? weight.device : undefined;
}
