/**
 * # Arrays that cannot be joined
 *
 * ## What
 * `np.concatenate`, `np.stack`, `np.vstack`, `torch.cat` or the like of arrays whose shapes do not fit, or of numbers.
 *
 * ## Why it crashes
 * All sizes except that of the joined axis must be equal; stacking needs equal shapes; zero-dimensional arrays cannot be
 * concatenated.
 *
 * ## Example
 * ```python state
 * import numpy as np
 *
 * a = np.ones((2, 3))
 * b = np.ones((2, 4))
 * ```
 * ```python cell
 * np.concatenate([a, b])
 * ```
 *
 * ## Fix
 * Join along the other axis, or bring the arrays to one shape.
 * ```python fixed
 * np.concatenate([a, b], axis=1)
 * ```
 *
 * ## When it stays silent
 * When a shape is not known.
 */

import { joinedBy } from '../../libraries/numpy/joins.js';
import { concatenated } from '../../libraries/numpy/shapes.js';
import type { Shape } from '../../reasoning/facts.js';
import { defineCheck } from '../define-check.js';
import { shapeText } from '../wording.js';

export default defineCheck({
  id: 'shapes/not-concatenable',
  title: 'Arrays that cannot be joined',
  rung: 'contracts',
  libraries: ['numpy', 'torch'],
  on: {
    call(event, context) {
      const joined = joinedBy(event, context);
      if (!joined) return;
      const { shapes, axis, isStack } = joined;
      const isTensor = event.target!.startsWith('torch.');
      if (isTensor && shapes.some((shape) => shape.length === 1 && shape[0] === 0)) return;
      const message = isStack ? stackProblem(shapes, isTensor) : joinProblem(shapes, axis, isTensor);
      if (!message) return;
      context.report({
        exception: isTensor ? 'RuntimeError' : 'ValueError',
        message,
        evidence: [
          {
            fact: `the shapes are ${shapes.slice(0, 6).map(shapeText).join(', ')}`,
            source: context.source(event.args.positional[0] ?? [...event.args.keywords.values()][0]!),
          },
        ],
        explanation: `\`${context.text(event.node)}\` fails: the shapes ${shapes.slice(0, 4).map(shapeText).join(', ')} cannot be joined${isStack ? '' : ` along axis ${axis}`}.`,
        remedy: 'Bring the arrays to one shape, or join them along another axis.',
      });
    },
  },
});

function joinProblem(shapes: readonly Shape[], axis: number, isTensor: boolean): string | null {
  const [first] = shapes;
  if (shapes.some((shape) => shape.length === 0))
    return isTensor
      ? 'zero-dimensional tensor (at position 0) cannot be concatenated'
      : 'zero-dimensional arrays cannot be concatenated';
  const other = shapes.findIndex((shape) => shape.length !== first!.length);
  if (other > 0)
    return isTensor
      ? `Tensors must have same number of dimensions: got ${first!.length} and ${shapes[other]!.length}`
      : `all the input arrays must have same number of dimensions, but the array at index 0 has ${first!.length} dimension(s) and the array at index ${other} has ${shapes[other]!.length} dimension(s)`;
  if (axis >= first!.length || axis < -first!.length)
    return isTensor
      ? `Dimension out of range (expected to be in range of [-${first!.length}, ${first!.length - 1}], but got ${axis})`
      : `axis ${axis} is out of bounds for array of dimension ${first!.length}`;
  if (concatenated(shapes, axis) !== null) return null;
  return isTensor
    ? `Sizes of tensors must match except in dimension ${axis}.…`
    : 'all the input array dimensions except for the concatenation axis must match exactly…';
}

function stackProblem(shapes: readonly Shape[], isTensor: boolean): string | null {
  const [first] = shapes;
  const differs = shapes.some(
    (shape) =>
      shape.length !== first!.length ||
      shape.some((dim, axis) => dim !== null && first![axis] !== null && dim !== first![axis]),
  );
  if (!differs) return null;
  return isTensor
    ? `stack expects each tensor to be equal size`
    : 'all input arrays must have the same shape';
}
