/**
 * # A tensor that cannot become a NumPy array as it is
 *
 * ## What
 * `.numpy()` (or `np.array`) is called on a tensor that requires gradients, or that is not on the CPU.
 *
 * ## Why it crashes
 * An array cannot carry gradients (`RuntimeError`) and lives in the CPU's memory (`TypeError`).
 *
 * ## Example
 * ```python state
 * import torch
 *
 * weights = torch.ones(3, requires_grad=True)
 * ```
 * ```python cell
 * weights.numpy()
 * ```
 *
 * ## Fix
 * `tensor.detach().cpu().numpy()`.
 * ```python fixed
 * weights.detach().cpu().numpy()
 * ```
 *
 * ## When it stays silent
 * When it is not known whether the tensor requires gradients.
 */
import { defineCheck } from '../define-check.js';

export default defineCheck({
  id: 'torch/tensor-to-numpy',
  title: 'A tensor that cannot become a NumPy array as it is',
  rung: 'contracts',
  libraries: ['torch'],
  on: {
    call(event, context) {
      const isMethod = event.method === 'numpy' && event.receiver?.fact.kind === 'tensor';
      const isFunction = event.target === 'numpy.array' || event.target === 'numpy.asarray';
      const tensor = isMethod ? event.receiver : isFunction ? event.args.positional[0] : undefined;
      if (tensor?.fact.kind !== 'tensor' || event.args.keywords.size > 0) return;
      const { requiresGrad, device } = tensor.fact;
      const isElsewhere = device !== undefined && /^(cuda|mps|xpu)/.test(device);
      if (!isElsewhere && requiresGrad !== true) return;
      const name = context.text(tensor.node);
      const exception = isElsewhere ? 'TypeError' : 'RuntimeError';
      context.report({
        exception,
        message: isElsewhere
          ? `can't convert ${device} device type tensor to numpy. Use Tensor.cpu() to copy the tensor to host memory first.`
          : "Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.",
        evidence: [
          {
            fact: isElsewhere ? `${name} is on ${device}` : `${name} requires gradients`,
            source: context.source(tensor),
          },
        ],
        explanation: `\`${context.text(event.node)}\` raises ${exception}: ${name} ${isElsewhere ? `is on ${device}` : 'requires gradients'}.`,
        remedy: `Use \`${name}.detach().cpu().numpy()\`.`,
      });
    },
  },
});
