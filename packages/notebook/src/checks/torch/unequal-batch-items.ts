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
 * ```python state
 * import torch
 * from torch.utils.data import DataLoader
 *
 * images = [torch.zeros(3, 8, 8), torch.zeros(3, 9, 8)]
 * ```
 * ```python cell
 * loader = DataLoader(images, batch_size=2)
 * for batch in loader:
 *     print(batch.shape)
 * ```
 *
 * ## Fix
 * Resize or crop the samples in the transform, or pass a `collate_fn` that pads. for batch in DataLoader(images,
 * batch_size=1):     print(batch.shape)
 * ```python fixed
 * loader = DataLoader(images, batch_size=1)
 * for batch in loader:
 *     print(batch.shape)
 * ```
 *
 * ## When it stays silent
 * With one shape, with a batch size of 1, with options that stack otherwise, such as a `collate_fn`, and for a loader that
 * an earlier cell made.
 */
import type { Fact, Shape } from '../../reasoning/facts.js';
import { type CheckContext, defineCheck } from '../define-check.js';
import { shapeText } from '../wording.js';

export default defineCheck({
  id: 'torch/unequal-batch-items',
  title: 'A loader draws items of unequal size',
  rung: 'contracts',
  libraries: ['torch'],
  on: {
    iterate(event, context) {
      const loader = event.iterable.fact;
      if (loader.kind !== 'loader' || loader.dataset === undefined || (loader.spec?.length ?? 0) > 0) return;
      if (!loader.class?.endsWith('.DataLoader') || !loader.options) return;
      if ([...loader.options.keys()].some((name) => !plainOptions.has(name))) return;
      const batch = loader.options.get('batch_size');
      const size = batch === undefined ? undefined : context.literal(batch);
      if (typeof size !== 'number' || size < 2) return;
      const dataset = context.look(loader.dataset);
      const shapes = shapesIn(context, dataset);
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

/** Options that leave it to the batch size alone how many samples are stacked, and to the library how. */
const plainOptions = new Set(['dataset', 'batch_size', 'shuffle', 'num_workers', 'pin_memory']);

/** A list of tensors that all differ makes no batch in any order. */
function shapesIn(context: CheckContext, dataset: Fact): Shape[] {
  if (dataset.kind !== 'list' || !dataset.items) return [];
  const shapes = dataset.items.map((ref) => {
    const fact = context.look(ref);
    return fact.kind === 'tensor' && fact.shape && !fact.shape.includes(null) ? fact.shape : undefined;
  });
  const known = shapes.filter((shape) => shape !== undefined);
  const isAllDifferent = new Set(known.map(shapeText)).size === shapes.length;
  return known.length === shapes.length && isAllDifferent ? known : [];
}
