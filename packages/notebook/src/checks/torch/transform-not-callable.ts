/**
 * # A dataset's transform cannot be called
 *
 * ## What
 * A torchvision dataset was made with `transform=` something that is no function: the module `transforms` itself, a list.
 * The crash comes when the loader draws the first sample.
 *
 * ## Why it crashes
 * The dataset calls the transform on each sample: `TypeError: 'module' object is not callable`.
 *
 * ## Example
 * ```python state
 * from torch.utils.data import DataLoader, Dataset
 *
 *
 * class Images(Dataset):
 *     def __init__(self, transform):
 *         self.transform = transform
 *
 *     def __len__(self):
 *         return 4
 *
 *     def __getitem__(self, index):
 *         return self.transform(index)
 *
 *
 * data = Images(transform=["resize", "crop"])
 * ```
 * ```python cell
 * for image in DataLoader(data):
 *     print(image)
 * ```
 *
 * ## Fix
 * Pass `transforms.Compose([...])`.
 * ```python fixed
 * data.transform = float
 * for image in DataLoader(data):
 *     print(image)
 * ```
 *
 * ## When it stays silent
 * When the transform is not known.
 */
import { defineCheck } from '../define-check.js';
import { article, typeName } from '../wording.js';

export default defineCheck({
  id: 'torch/transform-not-callable',
  title: "A dataset's transform cannot be called",
  rung: 'contracts',
  libraries: ['torch'],
  on: {
    iterate(event, context) {
      const loader = event.iterable.fact;
      if (loader.kind !== 'loader') return;
      const dataset = loader.dataset === undefined ? loader : context.look(loader.dataset);
      const ref =
        dataset.class === 'torchvision.datasets.ImageFolder'
          ? dataset.attributes?.get('transform')
          : undefined;
      const transform = ref === undefined ? undefined : context.look(ref);
      if (transform?.kind !== 'module' && transform?.kind !== 'list' && transform?.kind !== 'dict') return;
      const kind = typeName(transform);
      context.report({
        exception: 'TypeError',
        message: `'${kind}' object is not callable`,
        evidence: [
          { fact: `the dataset's transform is ${article(kind)}`, source: context.source(event.iterable) },
        ],
        explanation: `Drawing from \`${context.text(event.iterable.node)}\` raises TypeError: the dataset's transform is ${article(kind)}, which cannot be called.`,
        remedy: 'Make the dataset with `transform=transforms.Compose([…])`.',
      });
    },
  },
});
