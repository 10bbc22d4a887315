/**
 * # A matrix product of shapes that do not fit
 *
 * ## What
 * `a @ b`, `np.dot`, `np.matmul`, `torch.matmul` or `torch.mm` with known shapes whose inner sizes differ; or an inverse,
 * a determinant, eigenvalues of a matrix that is not square.
 *
 * ## Why it crashes
 * The last size of the left factor must equal the first of the right one (the last but one beyond two dimensions). Only
 * square matrices have inverses, determinants and eigenvalues.
 *
 * ## Example
 * ```python state
 * import numpy as np
 *
 * X = np.ones((5, 3))
 * w = np.ones((1, 3))
 * ```
 * ```python cell
 * np.dot(X, w)
 * ```
 *
 * ## Fix
 * Transpose one factor (`w.T`).
 * ```python fixed
 * np.dot(X, w.T)
 * ```
 *
 * ## When it stays silent
 * When a size is not known, and for pandas objects.
 */

import { broadcast, matmul, sizeOf } from '../../libraries/numpy/shapes.js';
import { squarenessOf } from '../../libraries/scipy/needs.js';
import type { EventOf, Operand } from '../../reasoning/events.js';
import type { Shape } from '../../reasoning/facts.js';
import { type CheckContext, defineCheck } from '../define-check.js';
import { shapeText } from '../wording.js';

const products = new Set(['numpy.dot', 'numpy.matmul', 'torch.matmul', 'torch.mm']);

export default defineCheck({
  id: 'shapes/matrix-product-mismatch',
  title: 'A matrix product of shapes that do not fit',
  rung: 'contracts',
  libraries: ['numpy', 'scipy', 'torch'],
  on: {
    binary(event, context) {
      if (event.operator === 'MatMult') check(event, context, event.left, event.right, 'matmul');
    },
    call(event, context) {
      const [a, b] = event.args.positional;
      checkSquare(event, context);
      if (event.target !== null && products.has(event.target) && a && b)
        check(event, context, a, b, event.target.split('.').at(-1)!);
      if (event.method === 'dot' && event.receiver && a) check(event, context, event.receiver, a, 'dot');
    },
  },
});

function check(
  event: EventOf<'binary'> | EventOf<'call'>,
  context: CheckContext,
  left: Operand,
  right: Operand,
  name: string,
): void {
  const a = arrayShape(left);
  const b = arrayShape(right);
  if (!a || !b || left.fact.kind !== right.fact.kind || matmul(a, b) !== null) return;
  const isTensor = left.fact.kind === 'tensor';
  context.report({
    exception: isTensor ? 'RuntimeError' : 'ValueError',
    message: message(a, b, name, isTensor),
    evidence: [
      { fact: `${context.text(left.node)} has the shape ${shapeText(a)}`, source: context.source(left) },
      { fact: `${context.text(right.node)} has the shape ${shapeText(b)}`, source: context.source(right) },
    ],
    explanation: `\`${context.text(event.node)}\` fails: a matrix product of shapes ${shapeText(a)} and ${shapeText(b)} is not defined.`,
    remedy: 'Transpose or reshape one factor so that the inner sizes are equal.',
  });
}

/** Inverses, determinants and eigenvalues are those of square matrices. */
function checkSquare(event: EventOf<'call'>, context: CheckContext): void {
  const refusal = event.target === null ? undefined : squarenessOf(event.target);
  const [matrix] = event.args.positional;
  const shape = matrix && arrayShape(matrix);
  const [rows, columns] = shape?.slice(-2) ?? [];
  if (!refusal || !shape || typeof rows !== 'number' || typeof columns !== 'number' || rows === columns)
    return;
  const name = context.text(matrix.node);
  context.report({
    ...refusal,
    evidence: [{ fact: `${name} has the shape ${shapeText(shape)}`, source: context.source(matrix) }],
    explanation: `\`${context.text(event.node)}\` raises ${refusal.exception}: ${name} has the shape ${shapeText(shape)}, and the matrix must be square.`,
    remedy: 'Use the pseudo-inverse (`pinv`) or least squares (`lstsq`), or a square matrix.',
  });
}

function arrayShape({ fact }: Operand): Shape | undefined {
  return (fact.kind === 'ndarray' || fact.kind === 'tensor') && fact.shape && fact.shape.length > 0
    ? fact.shape
    : undefined;
}

function message(a: Shape, b: Shape, name: string, isTensor: boolean): string {
  const inner = a.at(-1);
  const other = b.length === 1 ? b[0] : b.at(-2);
  if (isTensor) return torchMessage(a, b);
  if (name === 'dot') {
    const tuple = (shape: Shape) => `(${shape.map(text).join(',')}${shape.length === 1 ? ',' : ''})`;
    return `shapes ${tuple(a)} and ${tuple(b)} not aligned: ${inner} (dim ${a.length - 1}) != ${other} (dim ${Math.max(0, b.length - 2)})`;
  }
  return `matmul: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature (n?,k),(k,m?)->(n?,m?) (size ${other} is different from ${inner})`;
}

/** torch puts it differently for vectors, matrices and batches of matrices. */
function torchMessage(a: Shape, b: Shape): string {
  const rows = text(sizeOf(a.slice(0, -1)));
  const inner = text(a.at(-1));
  if (b.length === 1) {
    const other = text(b[0]);
    return a.length === 1
      ? `inconsistent tensor size, expected tensor [${inner}] and src [${other}] to have the same number of elements, but got ${inner} and ${other} elements respectively`
      : `size mismatch, got input (${rows}), mat (${rows}x${inner}), vec (${other})`;
  }
  if (b.length === 2)
    return `mat1 and mat2 shapes cannot be multiplied (${rows}x${inner} and ${b.map(text).join('x')})`;
  const batch = [a.slice(0, -2), b.slice(0, -2)] as const;
  const clash = broadcastClash(...batch);
  if (clash) return clash;
  const size = text(sizeOf(broadcast(...batch) ?? [null]));
  return `Expected size for first two dimensions of batch2 tensor to be: [${size}, ${inner}] but got: [${size}, ${text(b.at(-2))}].`;
}

function broadcastClash(a: Shape, b: Shape): string | undefined {
  const longest = Math.max(a.length, b.length);
  for (let fromEnd = 1; fromEnd <= longest; fromEnd += 1) {
    const [one, other] = [a.at(-fromEnd), b.at(-fromEnd)];
    if (one && other && one !== other && one !== 1 && other !== 1)
      return `The size of tensor a (${one}) must match the size of tensor b (${other}) at non-singleton dimension ${longest - fromEnd}`;
  }
  return undefined;
}

function text(dim: number | null | undefined): string {
  return String(dim ?? '?');
}
