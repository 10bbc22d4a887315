// Keras' directory iterators: each step gives a batch of images and their labels as NumPy arrays.
import type { Transfers } from '../../reasoning/library.js';
import { putTuple } from '../../reasoning/plain-objects.js';

const iterators = /\.(DirectoryIterator|DataFrameIterator|NumpyArrayIterator)$/;

export const kerasIterators: Transfers = {
  iterate: {
    instance(iterable, context) {
      const { fact } = iterable;
      if (fact.kind !== 'instance' || !iterators.test(fact.class ?? '')) return undefined;
      const shape = fact.attributes?.get('image_shape');
      const image = shape === undefined ? undefined : context.literal(shape);
      const sizes = Array.isArray(image)
        ? image.map((dim) => (typeof dim === 'number' ? dim : null))
        : undefined;
      const images = context.put({
        kind: 'ndarray',
        class: 'numpy.ndarray',
        ...(sizes && { shape: [null, ...sizes] }),
      });
      const labels = context.put({ kind: 'ndarray', class: 'numpy.ndarray' });
      const element = putTuple(context, [images, labels]);
      return { element, ...(fact.length !== undefined && { count: fact.length }) };
    },
  },
};
