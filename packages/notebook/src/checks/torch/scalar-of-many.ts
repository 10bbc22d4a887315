/**
 * # A single number asked of a tensor with many
 *
 * ## What
 * `.item()` or `.backward()` is called on a tensor that does not have exactly one element.
 *
 * ## Why it crashes
 * There is no single value to give, and gradients start from a scalar: torch raises `RuntimeError`.
 *
 * ## Example
 * ```python state
 * import torch
 *
 * losses = torch.ones(32, requires_grad=True) * 2
 * ```
 * ```python cell
 * losses.backward()
 * ```
 *
 * ## Fix
 * Reduce first: `losses.mean().backward()`; or use `.tolist()`.
 * ```python fixed
 * losses.mean().backward()
 * ```
 *
 * ## When it stays silent
 * When the shape is not known, and when `backward` is given gradients.
 */
import { defineCheck } from '../define-check.js';
import { shapeText } from '../wording.js';
import { elementCount } from './shared.js';

export default defineCheck({
  id: 'torch/scalar-of-many',
  title: 'A single number asked of a tensor with many',
  rung: 'contracts',
  libraries: ['torch'],
  on: {
    call(event, context) {
      const { receiver, method, args } = event;
      if (receiver?.fact.kind !== 'tensor' || (method !== 'item' && method !== 'backward')) return;
      const { shape, requiresGrad } = receiver.fact;
      const count = elementCount(shape);
      if (count === undefined || count === 1 || !shape) return;
      const gradient = args.positional[0] ?? args.keywords.get('gradient');
      if (!args.complete || (method === 'backward' && gradient)) return;
      const name = context.text(receiver.node);
      const message =
        method === 'item'
          ? `a Tensor with ${count} elements cannot be converted to Scalar`
          : requiresGrad === false
            ? 'element 0 of tensors does not require grad and does not have a grad_fn'
            : 'grad can be implicitly created only for scalar outputs';
      context.report({
        exception: 'RuntimeError',
        message,
        evidence: [{ fact: `${name} has the shape ${shapeText(shape)}`, source: context.source(receiver) }],
        explanation: `\`${context.text(event.node)}\` raises RuntimeError: ${name} has ${count} elements, not one.`,
        remedy:
          method === 'item'
            ? `Use \`${name}.tolist()\`, or reduce it first.`
            : `Reduce it first: \`${name}.mean().backward()\`.`,
      });
    },
  },
});
