// Live frames, series, indexes, arrays and tensors.
import type { ObjectFact } from '@grus/kernel/snapshot';
import type { Column, Fact } from '../facts.js';
import { type CommonFields, type ObjectContext, pick } from './context.js';
import { indexFacts, knownDtype, rowsOf, valueFacts } from './values.js';

export function frameFact(object: ObjectFact, common: CommonFields): Fact {
  const { representation = {}, values = {} } = object;
  const isWhole = representation.columns && representation.columns_complete !== false;
  const columns: Column[] | undefined = isWhole
    ? representation.columns!.map(({ label, dtype }, position) => ({
        label,
        ...(knownDtype(dtype) !== undefined && { dtype }),
        ...(values.columns?.[position] && { values: valueFacts(values.columns[position]) }),
      }))
    : undefined;
  const rows = rowsOf(representation);
  return {
    ...common,
    kind: 'dataframe',
    ...(columns && { columns }),
    ...(representation.columns_ordered === false && { unordered: true }),
    ...(representation.columns_levels !== undefined &&
      representation.columns_levels > 1 && { columnLevels: representation.columns_levels }),
    ...(!columns && typeof representation.shape?.[1] === 'number' && { width: representation.shape[1] }),
    ...(rows !== undefined && { rows }),
    ...(values.has_nan !== undefined && { hasNan: values.has_nan }),
    index: indexFacts(representation),
  };
}

export function seriesFact(object: ObjectFact, common: CommonFields): Fact {
  const { representation = {}, values = {} } = object;
  const rows = rowsOf(representation);
  const dtype = knownDtype(representation.dtype);
  return {
    ...common,
    kind: 'series',
    ...pick(representation, 'name'),
    ...(dtype !== undefined && { dtype }),
    ...(rows !== undefined && { rows }),
    index: indexFacts(representation),
    values: valueFacts(values),
  };
}

export function indexFact(object: ObjectFact, common: CommonFields): Fact {
  const { representation = {} } = object;
  return {
    ...common,
    kind: 'index',
    ...pick(representation, 'dtype'),
    ...(representation.index_labels_complete &&
      representation.index_labels && { labels: representation.index_labels }),
  };
}

export function arrayFact(object: ObjectFact, common: CommonFields, context: ObjectContext): Fact {
  const { structural = {}, representation = {}, values = {} } = object;
  const dtype = knownDtype(representation.dtype);
  const [first] = structural.items ?? [];
  return {
    ...common,
    kind: object.kind === 'ndarray' ? 'ndarray' : 'tensor',
    ...(dtype !== undefined && { dtype: dtype.replace(/^torch\./, '') }),
    ...pick(representation, 'shape', 'device'),
    ...(representation.requires_grad !== undefined && { requiresGrad: representation.requires_grad }),
    values: valueFacts(values),
    ...(first !== undefined && { element: context.refOf(first) }),
  };
}

/** Batches of a loader or dataset: what each iteration yields. */
export function loaderFact(object: ObjectFact, common: CommonFields, context: ObjectContext): Fact {
  const { structural = {}, representation = {} } = object;
  const dataset = structural.related?.['dataset'];
  return {
    ...common,
    kind: 'loader',
    ...(representation.element_spec && {
      spec: representation.element_spec.map(({ shape, dtype }) => ({
        ...(shape && { shape }),
        ...(knownDtype(dtype) !== undefined && { dtype: dtype.replace(/^torch\./, '') }),
      })),
    }),
    ...(dataset !== undefined && { dataset: context.refOf(dataset) }),
    ...(structural.items && { samples: structural.items.map((key) => context.refOf(key)) }),
  };
}
