/**
 * # A GPU that this torch cannot use
 *
 * ## What
 * Data, a module or a checkpoint is moved to `cuda`, and the installed torch was built without CUDA.
 *
 * ## Why it crashes
 * torch raises `AssertionError: Torch not compiled with CUDA enabled`; loading a checkpoint onto the device raises
 * `RuntimeError`.
 *
 * ## Example
 * ```python state
 * import torch
 * from torch import nn
 *
 * model = nn.Linear(3, 2)
 * ```
 * ```python cell
 * model.to("cuda")
 * ```
 *
 * ## Fix
 * Choose the device by what is there: `device = 'cuda' if torch.cuda.is_available() else 'cpu'`.
 * ```python fixed
 * model.to("cuda" if torch.cuda.is_available() else "cpu")
 * ```
 *
 * ## When it stays silent
 * When the device is not known, and when torch was built with CUDA, whether or not a GPU is there.
 */

import { argument } from '../../reasoning/arguments.js';
import type { EventOf } from '../../reasoning/events.js';
import { type CheckContext, defineCheck } from '../define-check.js';

const factories = /^torch\.(zeros|ones|empty|full|rand|randn|randint|arange|tensor|eye|linspace|as_tensor)$/;

export default defineCheck({
  id: 'torch/no-cuda',
  title: 'A GPU that this torch cannot use',
  rung: 'contracts',
  libraries: ['torch'],
  on: {
    call(event, context) {
      const exception = failure(event, context);
      if (exception === undefined || !isBuiltWithoutCuda(context)) return;
      context.report({
        exception,
        message:
          exception === 'AssertionError'
            ? 'Torch not compiled with CUDA enabled'
            : 'Attempting to deserialize object on a CUDA device but torch.cuda.is_available() is False.',
        evidence: [
          { fact: 'the installed torch was built without CUDA', source: 'kernel: torch.version.cuda' },
        ],
        explanation: `\`${context.text(event.node)}\` raises ${exception}: the installed torch was built without CUDA.`,
        remedy: "Choose the device by what is there: `'cuda' if torch.cuda.is_available() else 'cpu'`.",
      });
    },
  },
});

function failure(event: EventOf<'call'>, context: CheckContext): string | undefined {
  const isCuda = (position: number | null, name: string): boolean => {
    const operand = argument(event, position, name);
    const value = operand && context.literal(operand.ref);
    return typeof value === 'string' && /^cuda(:\d+)?$/.test(value);
  };
  const kind = event.receiver?.fact.kind;
  if (kind === 'tensor' || kind === 'torch-module') {
    if (event.method === 'cuda') return 'AssertionError';
    return event.method === 'to' && isCuda(0, 'device') ? 'AssertionError' : undefined;
  }
  if (event.target === 'torch.load') return isCuda(1, 'map_location') ? 'RuntimeError' : undefined;
  return factories.test(event.target ?? '') && isCuda(null, 'device') ? 'AssertionError' : undefined;
}

function isBuiltWithoutCuda(context: CheckContext): boolean {
  const text = context.snapshot.versions['torch'] ?? context.snapshot.modules['torch']?.version;
  return text?.endsWith('+cpu') ?? false;
}
