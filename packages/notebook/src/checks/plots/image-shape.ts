/**
 * # An array that is not an image
 *
 * ## What
 * `imshow` gets an array whose shape is neither (rows, columns) nor (rows, columns, 3 or 4).
 *
 * ## Why it crashes
 * matplotlib cannot tell what a pixel is and raises `TypeError: Invalid shape … for image data`.
 *
 * ## Example
 * ```python state
 * import matplotlib.pyplot as plt
 * import numpy as np
 *
 * image = np.zeros((3, 24, 24))
 * ```
 * ```python cell
 * plt.imshow(image)
 * ```
 *
 * ## Fix
 * Put channels last: `image.permute(1, 2, 0)` or `np.transpose(image, (1, 2, 0))`; take one image of a batch.
 * ```python fixed
 * plt.imshow(np.transpose(image, (1, 2, 0)))
 * ```
 *
 * ## When it stays silent
 * When the shape is not known.
 */
import { argument } from '../../reasoning/arguments.js';
import { defineCheck } from '../define-check.js';
import { shapeText } from '../wording.js';
import { plotFunction } from './shared.js';

export default defineCheck({
  id: 'plots/image-shape',
  title: 'An array that is not an image',
  rung: 'contracts',
  libraries: ['matplotlib'],
  on: {
    call(event, context) {
      if (plotFunction(event) !== 'imshow') return;
      const image = argument(event, 0, 'X');
      if (image?.fact.kind !== 'ndarray' && image?.fact.kind !== 'tensor') return;
      const { shape } = image.fact;
      if (!shape || isImage(shape)) return;
      const name = context.text(image.node);
      const isChannelsFirst = shape.length === 3 && [1, 3, 4].includes(shape[0] ?? 0);
      context.report({
        exception: 'TypeError',
        message: `Invalid shape ${shapeText(shape)} for image data`,
        evidence: [{ fact: `${name} has the shape ${shapeText(shape)}`, source: context.source(image) }],
        explanation: `\`${context.text(event.node)}\` raises TypeError: ${name} has the shape ${shapeText(shape)}, which is no image.`,
        remedy: isChannelsFirst
          ? `Put the channels last: \`${image.fact.kind === 'tensor' ? `${name}.permute(1, 2, 0)` : `np.transpose(${name}, (1, 2, 0))`}\`.`
          : shape.length === 4
            ? `Take one image of the batch: \`${name}[0]\`.`
            : 'Reshape it to (rows, columns), with 3 or 4 channels last.',
      });
    },
  },
});

function isImage(shape: readonly (number | null)[]): boolean {
  if (shape.length === 2) return true;
  const last = shape.at(-1);
  return shape.length === 3 && (last === null || last === 1 || last === 3 || last === 4);
}
