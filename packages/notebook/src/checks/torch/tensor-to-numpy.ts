/**
 * # A tensor that cannot become a NumPy array as it is
 *
 * ## What
 * `.numpy()` (or `np.array`) is called on a tensor that requires gradients, that is not on the CPU, or that is of bfloat16.
 *
 * ## Why it crashes
 * An array cannot carry gradients (`RuntimeError`), lives in the CPU's memory, and NumPy has no bfloat16 (`TypeError`).
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
import type { ArrayLike } from '../../libraries/numpy/kinds.js';
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
      const problem = problemOf(tensor.fact);
      if (!problem) return;
      const name = context.text(tensor.node);
      context.report({
        exception: problem.exception,
        message: problem.message,
        evidence: [{ fact: `${name} ${problem.is}`, source: context.source(tensor) }],
        explanation: `\`${context.text(event.node)}\` raises ${problem.exception}: ${name} ${problem.is}.`,
        remedy: `Use \`${name}${problem.instead}.numpy()\`.`,
      });
    },
  },
});

interface Problem {
  readonly exception: string;
  readonly message: string;
  readonly is: string;
  readonly instead: string;
}

/** In the order in which torch looks. */
function problemOf({ device, requiresGrad, dtype }: ArrayLike): Problem | undefined {
  if (device !== undefined && /^(cuda|mps|xpu)/.test(device))
    return {
      exception: 'TypeError',
      message: `can't convert ${device} device type tensor to numpy. Use Tensor.cpu() to copy the tensor to host memory first.`,
      is: `is on ${device}`,
      instead: '.detach().cpu()',
    };
  if (requiresGrad === true)
    return {
      exception: 'RuntimeError',
      message: "Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.",
      is: 'requires gradients',
      instead: '.detach().cpu()',
    };
  if (dtype === 'bfloat16' && device === 'cpu' && requiresGrad === false)
    return {
      exception: 'TypeError',
      message: 'Got unsupported ScalarType BFloat16',
      is: 'is of bfloat16, which NumPy does not have',
      instead: '.float()',
    };
  return undefined;
}
