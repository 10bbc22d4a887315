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
 * ```python state
 * import numpy as np
 *
 * n = 10_000_000
 * ```
 * ```python cell
 * np.zeros((n, n))
 * ```
 *
 * ## Fix
 * Use a sparse matrix, work in blocks, or drop an axis.
 * ```python fixed
 * np.zeros((n, 2))
 * ```
 *
 * ## When it stays silent
 * For sizes that could fit somewhere.
 */

import { argument } from '../../reasoning/arguments.js';
import type { EventOf } from '../../reasoning/events.js';
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
  on: {
    call(event, context) {
      if (event.target === null || !makers.has(event.target) || !event.args.complete) return;
      const dims = dimensions(event, context);
      if (!dims) return;
      const elements = dims.reduce((size, dim) => size * dim, 1);
      const bytes = elements * itemSize(event, context);
      if (bytes <= 2 ** 47) return;
      const isTensor = event.target.startsWith('torch.');
      const isTooBig = bytes >= 2 ** 63;
      context.report({
        exception: isTensor ? 'RuntimeError' : isTooBig ? 'ValueError' : 'MemoryError',
        message: isTensor
          ? "DefaultCPUAllocator: can't allocate memory"
          : isTooBig
            ? 'Maximum allowed dimension exceeded'
            : `Unable to allocate … for an array with shape (${dims.join(', ')})…`,
        evidence: [
          {
            fact: `the shape (${dims.join(', ')}) needs ${bytes.toExponential(1)} bytes`,
            source: 'this cell',
          },
        ],
        explanation: `\`${context.text(event.node)}\` cannot be allocated: ${bytes.toExponential(1)} bytes are more than a process can address.`,
        remedy: 'Use a sparse matrix, work in blocks, or drop an axis.',
      });
    },
  },
});

/** Bytes of an element; 1, the least that any dtype needs, where the dtype is not known. */
function itemSize(event: EventOf<'call'>, context: CheckContext): number {
  const isTensor = event.target!.startsWith('torch.');
  const given =
    event.args.keywords.get('dtype') ??
    (isTensor ? undefined : event.args.positional[event.target === 'numpy.full' ? 2 : 1]);
  if (!given) return isTensor || event.target === 'numpy.full' ? 1 : 8;
  const { fact } = given;
  const name = fact.kind === 'library' || fact.kind === 'class' ? fact.name : context.literal(given.ref);
  const [, bits] = typeof name === 'string' ? (/(?:^|\.)(?:u?int|float|complex)(\d+)$/.exec(name) ?? []) : [];
  if (bits !== undefined) return Number(bits) / 8;
  return name === 'builtins.float' || name === 'float' ? 8 : 1;
}

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
