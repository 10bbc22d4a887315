/**
 * # An array that no machine can hold
 *
 * ## What
 * `np.zeros`, `np.ones`, `np.full`, `np.empty` or `torch.zeros` and the like with a shape of more than 2**47 bytes.
 *
 * ## Why it crashes
 * A process can address 2**47 bytes; beyond it the allocation fails with `MemoryError` (torch: `RuntimeError`).
 *
 * ## Example
 * State: `n = 10_000_000`. Cell: `np.zeros((n, n))`.
 *
 * ## Fix
 * Use a sparse matrix, work in blocks, or drop an axis.
 *
 * ## When it stays silent
 * For sizes that could fit somewhere.
 */
import type { EventOf } from '../../reasoning/events.js';
import { argument } from '../../reasoning/libraries/arguments.js';
import { type CheckContext, defineCheck } from '../define-check.js';

const makers = new Set([
  'numpy.zeros',
  'numpy.ones',
  'numpy.empty',
  'numpy.full',
  'torch.zeros',
  'torch.ones',
  'torch.empty',
  'torch.randn',
  'torch.rand',
]);

export default defineCheck({
  id: 'values/oversized-allocation',
  title: 'An array that no machine can hold',
  rung: 'contracts',
  libraries: ['numpy', 'torch'],
  status: 'preview',
  on: {
    call(event, context) {
      if (event.target === null || !makers.has(event.target) || !event.args.complete) return;
      const dims = dimensions(event, context);
      if (!dims) return;
      // One byte for each element is the least that any dtype needs.
      const bytes = dims.reduce((size, dim) => size * dim, 1);
      if (bytes <= 2 ** 47) return;
      const isTensor = event.target.startsWith('torch.');
      const isTooBig = bytes >= 2 ** 63;
      context.report({
        exception: isTensor ? 'RuntimeError' : isTooBig ? 'ValueError' : 'MemoryError',
        message: isTensor
          ? "DefaultCPUAllocator: can't allocate memory"
          : isTooBig
            ? 'Maximum allowed dimension exceeded'
            : `Unable to allocate memory for an array with shape (${dims.join(', ')})`,
        evidence: [
          {
            fact: `the shape (${dims.join(', ')}) has ${bytes.toExponential(1)} elements`,
            source: 'this cell',
          },
        ],
        explanation: `\`${context.text(event.node)}\` cannot be allocated: ${bytes.toExponential(1)} elements are more than a process can address.`,
        remedy: 'Use a sparse matrix, work in blocks, or drop an axis.',
      });
    },
  },
});

function dimensions(event: EventOf<'call'>, context: CheckContext): number[] | undefined {
  const first = argument(event, 0, 'shape') ?? argument(event, 0, 'size');
  if (!first) return undefined;
  const refs =
    first.fact.kind === 'tuple' || first.fact.kind === 'list'
      ? first.fact.items
      : event.target!.startsWith('torch.')
        ? event.args.positional.map((operand) => operand.ref)
        : [first.ref];
  const values = refs?.map((ref) => context.literal(ref));
  return values?.every((value): value is number => typeof value === 'number' && value >= 0)
    ? values
    : undefined;
}
