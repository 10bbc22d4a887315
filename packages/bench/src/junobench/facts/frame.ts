// A recorded DataFrame. pprint sorted the columns, so their order is not known; the frame lists them all when as many
// are recorded as its shape has columns.
import type { ObjectFact } from '@grus/kernel/snapshot';
import { asString, get, isDict, isSequence, type PyValue } from '../pprint/value.js';
import { literalOf } from './literals.js';
import { shapeOf } from './shapes.js';
import { readValues } from './values.js';

/** The dtype of a column whose record has none and whose values do not tell. */
export const unknownDtype = '?';

export function describeFrame(record: PyValue, className: string): ObjectFact {
  const shape = shapeOf(get(record, 'shape'));
  const perColumn = get(record, 'per_column');
  const columns = isDict(perColumn) ? perColumn.entries : [];
  const { values } = readValues(record);
  const noNan = values.has_nan === false ? { has_nan: false } : {};
  const described = columns.map(([label, column]) => {
    const read = readValues(column);
    return {
      label: literalOf(label) ?? null,
      dtype: asString(get(column, 'dtype')) ?? read.dtype ?? unknownDtype,
      values: { ...noNan, ...read.values },
    };
  });
  const dtypes = get(record, 'dtypes');
  return {
    kind: 'frame',
    class: className,
    representation: {
      ...(shape !== undefined ? { shape, ndim: 2, length: shape[0] ?? undefined } : {}),
      ...(described.length > 0
        ? {
            columns: described.map(({ label, dtype }) => ({ label, dtype })),
            columns_complete: described.length === shape?.[1],
            columns_ordered: false,
          }
        : {}),
      ...(isSequence(dtypes) ? { dtypes: dtypes.items.map(String) } : {}),
      callable: false,
      iterable: true,
      subscriptable: true,
      hashable: false,
    },
    values: {
      ...values,
      ...(described.length > 0 ? { columns: described.map((column) => column.values) } : {}),
    },
  };
}
