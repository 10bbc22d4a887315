/**
 * # A loader draws items of unequal size
 *
 * ## What
 * A cell goes through a torch `DataLoader` whose samples were seen to have different shapes and could not be put together
 * to a batch.
 *
 * ## Why it crashes
 * The default collate function stacks the samples: `RuntimeError: stack expects each tensor to be equal size`.
 *
 * ## Example
 * State: a dataset of images of different sizes without a resize. Cell: `for images, labels in loader: …`.
 *
 * ## Fix
 * Resize or crop the samples in the transform, or pass a `collate_fn` that pads.
 *
 * ## When it stays silent
 * With one shape, with a batch size of 1, with a `collate_fn`, and when a batch was seen to work.
 */
import type { Fact, Shape } from '../../reasoning/facts.js';
import { type CheckContext, defineCheck } from '../define-check.js';
import { shapeText } from '../wording.js';

export default defineCheck({
  id: 'torch/unequal-batch-items',
  title: 'A loader draws items of unequal size',
  rung: 'contracts',
  libraries: ['torch'],
  status: 'preview',
  on: {
    iterate(event, context) {
      const loader = event.iterable.fact;
      if (loader.kind !== 'loader' || loader.dataset === undefined || (loader.spec?.length ?? 0) > 0) return;
      if (!loader.class?.endsWith('.DataLoader') || loader.attributes?.has('collate_fn')) return;
      const batch = loader.attributes?.get('batch_size');
      if (batch !== undefined && context.literal(batch) === 1) return;
      const shapes = sampleShapes(context, context.look(loader.dataset));
      const [first] = shapes;
      const other = shapes.find((shape) => shapeText(shape) !== shapeText(first!));
      if (!first || !other) return;
      context.report({
        exception: 'RuntimeError',
        message: `stack expects each tensor to be equal size, but got [${first.join(', ')}] at entry 0 and [${other.join(', ')}] at entry 1`,
        evidence: [
          {
            fact: `samples of the dataset have the shapes ${shapes.slice(0, 4).map(shapeText).join(', ')}`,
            source: context.source(event.iterable),
          },
        ],
        explanation: `Going through \`${context.text(event.iterable.node)}\` raises RuntimeError: its samples have different shapes and cannot be stacked to a batch.`,
        remedy: 'Resize or crop the samples in the transform, or pass a `collate_fn` that pads them.',
      });
    },
  },
});

function sampleShapes(context: CheckContext, dataset: Fact): Shape[] {
  if (dataset.kind !== 'loader') return [];
  return (dataset.samples ?? []).flatMap((ref) => {
    const sample = context.look(ref);
    const parts =
      sample.kind === 'tuple' || sample.kind === 'list' ? (sample.items ?? sample.samples) : undefined;
    const image = parts?.[0] === undefined ? undefined : context.look(parts[0]);
    return image?.kind === 'tensor' && image.shape && !image.shape.includes(null) ? [image.shape] : [];
  });
}
