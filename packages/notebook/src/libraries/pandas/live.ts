// Live frames, series and indexes.
import type { ObjectFact } from '@grus/kernel/snapshot';
import { type Fact, known } from '../../reasoning/facts.js';
import type { LiveReader } from '../../reasoning/library.js';
import { type CommonFields, pick } from '../../reasoning/live/context.js';
import { knownDtype, type Representation, valueFacts } from '../../reasoning/live/values.js';
import type { Column, IndexFacts } from './kinds.js';

function frameFact(object: ObjectFact, common: CommonFields): Fact {
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
    columns,
    ...(representation.columns_ordered === false && { unordered: true }),
    ...(representation.columns_levels !== undefined &&
      representation.columns_levels > 1 && { columnLevels: representation.columns_levels }),
    ...(!columns && typeof representation.shape?.[1] === 'number' && { width: representation.shape[1] }),
    ...(!columns && representation.dtypes && { dtypes: representation.dtypes }),
    rows,
    hasNan: values.has_nan,
    index: indexFacts(representation),
  };
}

function seriesFact(object: ObjectFact, common: CommonFields): Fact {
  const { representation = {}, values = {} } = object;
  const rows = rowsOf(representation);
  const dtype = knownDtype(representation.dtype);
  return {
    ...common,
    kind: 'series',
    ...pick(representation, 'name'),
    dtype,
    rows,
    index: indexFacts(representation),
    values: valueFacts(values),
  };
}

function indexFact(object: ObjectFact, common: CommonFields): Fact {
  const { representation = {} } = object;
  return {
    ...common,
    kind: 'index',
    ...pick(representation, 'dtype'),
    ...(representation.index_labels_complete &&
      representation.index_labels && { labels: representation.index_labels }),
  };
}

function indexFacts(representation: Representation): IndexFacts {
  return known({
    names: representation.index_names,
    dtype: representation.index_dtype,
    unique: representation.index_unique,
    ...(representation.index_labels &&
      representation.index_labels_complete && { labels: representation.index_labels }),
    range: representation.index_range,
  });
}

function rowsOf(representation: Representation): number | undefined {
  return representation.shape?.[0] ?? representation.length ?? undefined;
}

/** Subclasses, such as a GeoDataFrame, may index, combine and derive as they like. */
const classes = /^pandas\./;

export const live: Readonly<Record<string, LiveReader>> = {
  frame: { classes, read: frameFact },
  series: { classes, read: seriesFact },
  index: { classes, read: indexFact },
};
