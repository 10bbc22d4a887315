/**
 * # A value that does not fit where it is stored
 *
 * ## What
 * `array[key] = value` where the shape of the value cannot be broadcast into the part of the array that the key selects.
 *
 * ## Why it crashes
 * From the last axis on, each size of the value must be 1 or that of the part. NumPy raises
 * `ValueError: could not broadcast input array from shape (32,32) into shape (32,32,3)`.
 *
 * ## Example
 * ```python state
 * import numpy as np
 *
 * batch = np.zeros((4, 32, 32, 3))
 * image = np.ones((32, 32))
 * ```
 * ```python cell
 * batch[0] = image
 * ```
 *
 * ## Fix
 * Give the value the shape of the part (`image[..., None]`), or make the array with the shape of the values.
 * ```python fixed
 * batch[0] = image[..., None]
 * ```
 *
 * ## When it stays silent
 * When a size is not known, for subscripts with lists or masks, for arrays of objects, and for single elements.
 */

import { indexedShape, partsOf } from '../../libraries/numpy/indexing.js';
import type { Fact, Shape } from '../../reasoning/facts.js';
import { type CheckContext, defineCheck } from '../define-check.js';
import { shapeText } from '../wording.js';

export default defineCheck({
  id: 'shapes/stored-shape-mismatch',
  title: 'A value that does not fit where it is stored',
  rung: 'contracts',
  libraries: ['numpy'],
  on: {
    storeItem(event, context) {
      const { container, key, value } = event;
      const { fact } = container;
      if (fact.kind !== 'ndarray' || fact.class !== 'numpy.ndarray' || !fact.shape || !value) return;
      if (!/^(u?int|float|complex|bool)/.test(fact.dtype ?? '')) return;
      const parts = partsOf(context, key);
      const part = parts && indexedShape(context, fact.shape, parts);
      const given = storedShape(context, value.fact);
      if (!part || part.length === 0 || !given || fitsInto(given, part)) return;
      const [where, what] = [
        context.text(event.node),
        value.node === event.node ? 'the value' : context.text(value.node),
      ];
      context.report({
        exception: 'ValueError',
        message: `could not broadcast input array from shape ${compact(given)} into shape ${compact(part)}`,
        evidence: [
          { fact: `${where} has the shape ${shapeText(part)}`, source: context.source(container) },
          { fact: `${what} has the shape ${shapeText(given)}`, source: context.source(value) },
        ],
        explanation: `Storing into \`${where}\` raises ValueError: the shape ${shapeText(given)} cannot be broadcast into ${shapeText(part)}.`,
        remedy:
          'Give the value the shape of the part that it replaces, or make the array with the shape of the values.',
      });
    },
  },
});

function storedShape(context: CheckContext, fact: Fact): Shape | undefined {
  if (fact.kind === 'ndarray') return fact.class === 'numpy.ndarray' ? fact.shape : undefined;
  if (fact.kind !== 'list' && fact.kind !== 'tuple') return undefined;
  const isFlat = fact.items?.every((ref) => {
    const item = context.look(ref);
    return item.kind === 'scalar' && item.type !== 'str' && item.type !== 'bytes';
  });
  return isFlat ? [fact.items!.length] : undefined;
}

/** Whether the value may fit: leading sizes of 1 do not count, and unknown sizes fit anywhere. */
function fitsInto(given: Shape, part: Shape): boolean {
  const extra = given.length - part.length;
  if (given.slice(0, Math.max(0, extra)).some((dim) => dim !== 1 && dim !== null)) return false;
  return given.slice(Math.max(0, extra)).every((dim, index) => {
    const room = part[index + Math.max(0, -extra)]!;
    return dim === 1 || dim === null || room === null || dim === room;
  });
}

function compact(shape: Shape): string {
  return `(${shape.map((dim) => dim ?? '?').join(',')}${shape.length === 1 ? ',' : ''})`;
}
