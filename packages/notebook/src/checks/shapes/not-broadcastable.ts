/**
 * # Arrays whose shapes do not fit together
 *
 * ## What
 * An element-wise operator joins two arrays or tensors of known shapes that cannot be broadcast.
 *
 * ## Why it crashes
 * From the last axis on, sizes must be equal or 1. NumPy raises `ValueError: operands could not be broadcast together`,
 * torch `RuntimeError: The size of tensor a must match the size of tensor b`.
 *
 * ## Example
 * ```python state
 * import numpy as np
 *
 * a = np.ones((3, 4))
 * b = np.ones(3)
 * ```
 * ```python cell
 * a + b
 * ```
 *
 * ## Fix
 * Reshape or transpose one of them (`b[:, None]`), or use `@` for a matrix product.
 * ```python fixed
 * a + b[:, None]
 * ```
 *
 * ## When it stays silent
 * When a size is not known, for comparisons with `==` and `!=`, and for pandas objects, which align by labels.
 */
import { broadcast } from '../../libraries/numpy/shapes.js';
import { defineCheck } from '../define-check.js';
import { shapeText } from '../wording.js';

const operators = new Set(['Add', 'Sub', 'Mult', 'Div', 'FloorDiv', 'Mod', 'Pow', 'BitAnd', 'BitOr']);

export default defineCheck({
  id: 'shapes/not-broadcastable',
  title: 'Arrays whose shapes do not fit together',
  rung: 'contracts',
  libraries: ['numpy', 'torch'],
  on: {
    binary(event, context) {
      const { left, right } = event;
      const a = left.fact;
      const b = right.fact;
      if (
        !operators.has(event.operator) ||
        (a.kind !== 'ndarray' && a.kind !== 'tensor') ||
        b.kind !== a.kind
      )
        return;
      if (a.kind === 'ndarray' && (a.class !== 'numpy.ndarray' || b.class !== 'numpy.ndarray')) return;
      if (!a.shape || !b.shape || broadcast(a.shape, b.shape) !== null) return;
      const [one, two] = [context.text(left.node), context.text(right.node)];
      const isTensor = a.kind === 'tensor';
      context.report({
        exception: isTensor ? 'RuntimeError' : 'ValueError',
        message: isTensor
          ? tensorMessage(a.shape, b.shape)
          : `operands could not be broadcast together with shapes ${compact(a.shape)} ${compact(b.shape)} `,
        evidence: [
          { fact: `${one} has the shape ${shapeText(a.shape)}`, source: context.source(left) },
          { fact: `${two} has the shape ${shapeText(b.shape)}`, source: context.source(right) },
        ],
        explanation: `\`${context.text(event.node)}\` fails: the shapes ${shapeText(a.shape)} and ${shapeText(b.shape)} cannot be broadcast.`,
        remedy: 'Reshape or transpose one of them so that the sizes are equal or 1 from the last axis on.',
      });
    },
  },
});

function compact(shape: readonly (number | null)[]): string {
  return `(${shape.map((dim) => dim ?? '?').join(',')}${shape.length === 1 ? ',' : ''})`;
}

function tensorMessage(a: readonly (number | null)[], b: readonly (number | null)[]): string {
  const rank = Math.max(a.length, b.length);
  for (let position = 1; position <= rank; position++) {
    const x = a.at(-position) ?? 1;
    const y = b.at(-position) ?? 1;
    if (x !== y && x !== 1 && y !== 1)
      return `The size of tensor a (${x}) must match the size of tensor b (${y}) at non-singleton dimension ${rank - position}`;
  }
  return 'The sizes of the tensors must match';
}
