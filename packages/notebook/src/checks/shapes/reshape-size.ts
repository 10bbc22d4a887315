/**
 * # A reshape to another number of elements
 *
 * ## What
 * `reshape` or `view` asks for a shape whose size is not that of the array.
 *
 * ## Why it crashes
 * NumPy raises `ValueError: cannot reshape array of size … into shape …`, torch `RuntimeError: shape '…' is invalid`.
 *
 * ## Example
 * ```python state
 * import numpy as np
 *
 * x = np.arange(10)
 * ```
 * ```python cell
 * x.reshape(3, 4)
 * ```
 *
 * ## Fix
 * Ask for as many elements as there are, or leave one size open with -1.
 * ```python fixed
 * x.reshape(5, -1)
 * ```
 *
 * ## When it stays silent
 * When a size is not known.
 */

import { dimsIn } from '../../libraries/numpy/arrays.js';
import { reshaped, sizeOf } from '../../libraries/numpy/shapes.js';
import { argument } from '../../reasoning/arguments.js';
import type { EventOf, Operand } from '../../reasoning/events.js';
import { shapeOf } from '../../reasoning/kinds.js';
import { type CheckContext, defineCheck } from '../define-check.js';
import { shapeText } from '../wording.js';

export default defineCheck({
  id: 'shapes/reshape-size',
  title: 'A reshape to another number of elements',
  rung: 'contracts',
  libraries: ['numpy', 'torch'],
  on: {
    call(event, context) {
      if (!event.args.complete) return;
      const { fact } = event.receiver ?? {};
      if (
        (event.method === 'reshape' || event.method === 'view') &&
        (fact?.kind === 'ndarray' || fact?.kind === 'tensor')
      )
        check(event, context, event.receiver!, event.args.positional);
      const array = argument(event, 0, 'a');
      if (event.target === 'numpy.reshape' && array)
        check(event, context, array, event.args.positional.slice(1, 2));
    },
  },
});

function check(
  event: EventOf<'call'>,
  context: CheckContext,
  array: Operand,
  given: readonly Operand[],
): void {
  const shape =
    array.fact.kind === 'ndarray' || array.fact.kind === 'tensor' ? shapeOf(array.fact) : undefined;
  const wanted = dimsIn(context, given);
  if (!shape || !wanted || wanted.length === 0 || reshaped(shape, wanted) !== null) return;
  const size = sizeOf(shape);
  const isTensor = array.fact.kind === 'tensor';
  const text = wanted.length === 1 ? `(${wanted[0]},)` : `(${wanted.map((dim) => dim ?? '?').join(',')})`;
  context.report({
    exception: isTensor ? 'RuntimeError' : 'ValueError',
    message: isTensor
      ? `shape '[${wanted.join(', ')}]' is invalid for input of size ${size}`
      : wanted.filter((dim) => dim === -1).length > 1
        ? 'can only specify one unknown dimension'
        : `cannot reshape array of size ${size} into shape ${text}`,
    evidence: [
      {
        fact: `${context.text(array.node)} has the shape ${shapeText(shape)}${size === null ? '' : `, ${size} elements`}`,
        source: context.source(array),
      },
    ],
    explanation: `\`${context.text(event.node)}\` fails: ${size ?? 'the'} elements do not fill the shape ${text}.`,
    remedy: 'Ask for as many elements as there are, or leave one size open with -1.',
  });
}
