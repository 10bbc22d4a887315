/**
 * # A dataset's transform cannot be called
 *
 * ## What
 * A torchvision dataset was made with `transform=` something that is not a function: the module `transforms` itself, a list.
 * The crash comes when the loader draws the first sample.
 *
 * ## Why it crashes
 * The dataset calls the transform on each sample: `TypeError: 'module' object is not callable`.
 *
 * ## Example
 * ```python state
 * from torch.utils.data import DataLoader
 * from torchvision import transforms
 * from torchvision.datasets import FakeData
 *
 * data = FakeData(4, transform=transforms)
 * ```
 * ```python cell
 * for images, labels in DataLoader(data):
 *     print(images.shape)
 * ```
 *
 * ## Fix
 * Pass `transforms.Compose([...])`. data.transform = float for image in DataLoader(data):     print(image)
 * ```python fixed
 * data.transform = transforms.ToTensor()
 * for images, labels in DataLoader(data):
 *     print(images.shape)
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
          ? (dataset.options ?? dataset.attributes)?.get('transform')
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
