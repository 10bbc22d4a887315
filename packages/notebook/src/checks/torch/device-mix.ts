/**
 * # Tensors on different devices
 *
 * ## What
 * A module whose weights are on one device gets a tensor that is on another, or an operation or a loss gets two tensors that are
 * not on the same device.
 *
 * ## Why it crashes
 * torch does not move data by itself and raises `RuntimeError`.
 *
 * ## Example
 * ```python state
 * import torch
 * from torch import nn
 *
 * model = nn.Linear(3, 2).to("meta")
 * x = torch.zeros(4, 3)
 * ```
 * ```python cell
 * model(x)
 * ```
 *
 * ## Fix
 * Move the data to the device of the model: `x = x.to(device)`. The example uses the device `meta`, which every machine
 * has; `cuda` behaves alike.
 * ```python fixed
 * model(x.to("meta"))
 * ```
 *
 * ## When it stays silent
 * When either device is not known, or something may have moved the tensor or the module.
 */

import type { TorchModule } from '../../libraries/torch/kinds.js';
import { comparisons } from '../../reasoning/comparisons.js';
import type { EventOf, Operand } from '../../reasoning/events.js';
import type { Fact } from '../../reasoning/facts.js';
import { type CheckContext, defineCheck } from '../define-check.js';
import { elementCount, lossCall, moduleCall } from './shared.js';

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
  title: 'Tensors on different devices',
  rung: 'contracts',
  libraries: ['torch'],
  on: {
    binary(event, context) {
      // Products and changes in place let tensors without data pass.
      const isLenient = event.operator === 'MatMult' || event.inPlace;
      if (!(isLenient && [event.left, event.right].some(isWithoutData)))
        meet(event, context, event.left, event.right);
    },
    compare(event, context) {
      if (comparisons.has(event.operator)) meet(event, context, event.left, event.right);
    },
    call(event, context) {
      const loss = lossCall(event);
      if (loss) meet(event, context, loss.prediction, loss.target);
      const call = moduleCall(event);
      if (!call || loss) return;
      const { module, input } = call;
      const { device, shape } = input.fact;
      const own = deviceOf(context, module);
      if (device === undefined || own === undefined || device === own || !shape || shape.length === 0) return;
      const name = context.text(input.node);
      const owner = context.text(event.callee.node);
      context.report({
        exception: 'RuntimeError',
        message: messageOf(own, device),
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

/** Two tensors in one operation. Single numbers may be anywhere. */
function meet(
  event: EventOf<'binary'> | EventOf<'compare'> | EventOf<'call'>,
  context: CheckContext,
  left: Operand,
  right: Operand,
): void {
  const [one, other] = [left, right].map(({ fact }) =>
    fact.kind === 'tensor' && fact.shape?.length && elementCount(fact.shape) !== 0 ? fact.device : undefined,
  );
  if (one === undefined || other === undefined || one === other) return;
  const [first, second] = [context.text(left.node), context.text(right.node)];
  context.report({
    exception: 'RuntimeError',
    message: messageOf(one, other),
    evidence: [
      { fact: `${first} is on ${one}`, source: context.source(left) },
      { fact: `${second} is on ${other}`, source: context.source(right) },
    ],
    explanation: `\`${context.text(event.node)}\` raises RuntimeError: ${first} is on ${one}, ${second} on ${other}.`,
    remedy: `Move one of them first: \`${second}.to('${one}')\`.`,
  });
}

/** Tensors without data are refused in other words. */
function messageOf(one: string, other: string): string {
  if (one === 'meta' || other === 'meta') return 'Tensor on device … is not on the expected device …!';
  return `Expected all tensors to be on the same device, but found at least two devices, ${one} and ${other}!`;
}

function isWithoutData({ fact }: Operand): boolean {
  return fact.kind === 'tensor' && fact.device === 'meta';
}

/** Device of the layer that meets the input itself. */
function deviceOf(context: CheckContext, module: TorchModule): string | undefined {
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
