/**
 * # A matrix product of shapes that do not fit
 *
 * ## What
 * `a @ b`, `np.dot`, `np.matmul`, `torch.matmul` or `torch.mm` with known shapes whose inner sizes differ.
 *
 * ## Why it crashes
 * The last size of the left factor must equal the first of the right one (the last but one beyond two dimensions).
 *
 * ## Example
 * State: `X = np.ones((5, 3))`, `w = np.ones((1, 3))`. Cell: `np.dot(X, w)`.
 *
 * ## Fix
 * Transpose one factor (`w.T`).
 *
 * ## When it stays silent
 * When a size is not known, and for pandas objects.
 */
import type { EventOf, Operand } from '../../reasoning/events.js';
import type { Shape } from '../../reasoning/facts.js';
import { matmul } from '../../reasoning/libraries/numpy/shapes.js';
import { type CheckContext, defineCheck } from '../define-check.js';
import { shapeText } from '../wording.js';

const products = new Set(['numpy.dot', 'numpy.matmul', 'torch.matmul', 'torch.mm']);

export default defineCheck({
  id: 'shapes/matrix-product-mismatch',
  title: 'A matrix product of shapes that do not fit',
  rung: 'contracts',
  libraries: ['numpy', 'torch'],
  status: 'stable',
  on: {
    binary(event, context) {
      if (event.operator === 'MatMult') check(event, context, event.left, event.right, 'matmul');
    },
    call(event, context) {
      const [a, b] = event.args.positional;
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

function arrayShape({ fact }: Operand): Shape | undefined {
  return (fact.kind === 'ndarray' || fact.kind === 'tensor') && fact.shape && fact.shape.length > 0
    ? fact.shape
    : undefined;
}

function message(a: Shape, b: Shape, name: string, isTensor: boolean): string {
  const inner = a.at(-1);
  const other = b.length === 1 ? b[0] : b.at(-2);
  if (isTensor) return `mat1 and mat2 shapes cannot be multiplied (${a.join('x')} and ${b.join('x')})`;
  if (name === 'dot') {
    const text = (shape: Shape) =>
      `(${shape.map((dim) => dim ?? '?').join(',')}${shape.length === 1 ? ',' : ''})`;
    return `shapes ${text(a)} and ${text(b)} not aligned: ${inner} (dim ${a.length - 1}) != ${other} (dim ${Math.max(0, b.length - 2)})`;
  }
  return `matmul: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature (n?,k),(k,m?)->(n?,m?) (size ${other} is different from ${inner})`;
}
