/**
 * # An axis that the array does not have
 *
 * ## What
 * `axis=` (or `dim=`) names an axis beyond the number of dimensions: `np.argmax(labels, axis=1)` on a one-dimensional array.
 *
 * ## Why it crashes
 * NumPy raises `AxisError: axis 1 is out of bounds for array of dimension 1`, torch `IndexError: Dimension out of range`.
 *
 * ## Example
 * ```python state
 * import numpy as np
 *
 * y = np.array([0, 1, 1])
 * ```
 * ```python cell
 * np.argmax(y, axis=1)
 * ```
 *
 * ## Fix
 * Leave the axis out, or use the array before it was reduced.
 * ```python fixed
 * np.argmax(y)
 * ```
 *
 * ## When it stays silent
 * When the number of dimensions is not known.
 */

import { nestedShape } from '../../libraries/numpy/functions.js';
import { argument } from '../../reasoning/arguments.js';
import type { EventOf, Operand } from '../../reasoning/events.js';
import { shapeOf } from '../../reasoning/kinds.js';
import { type CheckContext, defineCheck } from '../define-check.js';
import { shapeText } from '../wording.js';

const reductions = new Set([
  'argmax',
  'argmin',
  'sum',
  'mean',
  'std',
  'var',
  'max',
  'min',
  'amax',
  'amin',
  'prod',
  'any',
  'all',
  'median',
  'cumsum',
  'sort',
  'argsort',
  'softmax',
  'squeeze',
  'flip',
  'concatenate',
  'log_softmax',
]);

export default defineCheck({
  id: 'shapes/axis-out-of-range',
  title: 'An axis that the array does not have',
  rung: 'contracts',
  libraries: ['numpy', 'torch'],
  on: {
    call(event, context) {
      const name = event.method ?? event.target?.split('.').at(-1) ?? '';
      if (!reductions.has(name) || !event.args.complete) return;
      const { fact } = event.receiver ?? {};
      if (event.receiver && (fact?.kind === 'ndarray' || fact?.kind === 'tensor'))
        check(
          event,
          context,
          event.receiver,
          argument(event, 0, 'axis') ?? argument(event, 0, 'dim'),
          fact.kind === 'tensor',
        );
      if (event.target === null || !/^(numpy|torch)\.\w+$/.test(event.target)) return;
      const isTensor = event.target.startsWith('torch.');
      const array = argument(event, 0, isTensor ? 'input' : name === 'concatenate' ? 'arrays' : 'a');
      if (array && name !== 'concatenate')
        check(event, context, array, argument(event, 1, 'axis') ?? argument(event, 1, 'dim'), isTensor);
    },
  },
});

function check(
  event: EventOf<'call'>,
  context: CheckContext,
  array: Operand,
  axis: Operand | undefined,
  isTensor: boolean,
): void {
  const value = axis && context.literal(axis.ref);
  const shape =
    array.fact.kind === 'ndarray' || array.fact.kind === 'tensor'
      ? array.fact.shape
      : array.fact.kind === 'list'
        ? nestedShape(context, array.fact)?.shape
        : array.fact.kind === 'series' && !isTensor
          ? shapeOf(array.fact)
          : undefined;
  if (array.fact.kind === 'series' && !['argmax', 'argmin'].includes(event.target?.split('.').at(-1) ?? ''))
    return;
  if (
    typeof value !== 'number' ||
    !shape ||
    shape.length === 0 ||
    (value < shape.length && value >= -shape.length)
  )
    return;
  const name = context.text(array.node);
  context.report({
    exception: isTensor ? 'IndexError' : array.fact.kind === 'series' ? 'ValueError' : 'AxisError',
    message: isTensor
      ? `Dimension out of range (expected to be in range of [-${shape.length}, ${shape.length - 1}], but got ${value})`
      : array.fact.kind === 'series'
        ? `No axis named ${value} for object type Series`
        : `axis ${value} is out of bounds for array of dimension ${shape.length}`,
    evidence: [{ fact: `${name} has the shape ${shapeText(shape)}`, source: context.source(array) }],
    explanation: `\`${context.text(event.node)}\` fails: ${name} has ${shape.length} dimension${shape.length === 1 ? '' : 's'} and no axis ${value}.`,
    remedy:
      shape.length === 1
        ? 'Leave the axis out; the array is already one-dimensional.'
        : `Use an axis below ${shape.length}.`,
  });
}
