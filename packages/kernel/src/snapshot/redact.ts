// The snapshot as it may leave the machine: facts above the chosen level are removed, secrets at every level.
import { type RedactionLevel, removeSecrets } from '@grus/core';
import type { ObjectFact, Snapshot, ValueFacts } from './schema.js';

type Values = NonNullable<ObjectFact['values']>;

/** Facts that summarise values without showing one. */
const statistics = [
  'min',
  'max',
  'has_nan',
  'nan_count',
  'has_inf',
  'unique',
  'element_types',
  'ragged',
  'longest',
  'exhaustive',
  'exhausted',
  'range',
  'history',
] as const satisfies readonly (keyof ValueFacts)[];

export function redactSnapshot(snapshot: Snapshot, level: RedactionLevel): Snapshot {
  const objects = Object.fromEntries(
    Object.entries(snapshot.objects).map(([id, fact]) => [id, redactObject(fact, level)]),
  );
  return withoutSecrets({
    ...snapshot,
    objects,
    files: level === 'values' ? snapshot.files : withoutSiblings(snapshot.files),
  });
}

function redactObject(fact: ObjectFact, level: RedactionLevel): ObjectFact {
  if (level === 'values') return fact;
  const { values, structural, representation, ...rest } = fact;
  // Keys and row labels are data as much as structure: a dict by e-mail address, a frame indexed by customer.
  const { keys: _keys, ...shownStructure } = structural ?? {};
  const { index_labels: _labels, ...shownRepresentation } = representation ?? {};
  return {
    ...rest,
    ...(structural ? { structural: shownStructure } : {}),
    ...(representation ? { representation: shownRepresentation } : {}),
    ...(values && level === 'statistics' ? { values: summarise(values) } : {}),
  };
}

function summarise(values: Values): Values {
  return {
    ...pickStatistics(values),
    ...(values.columns ? { columns: values.columns.map(pickStatistics) } : {}),
  };
}

/** A range counts as a statistic only when it is numeric: the smallest text of a column is one of its values. */
function pickStatistics(values: ValueFacts): ValueFacts {
  const picked = statistics.filter((key) => values[key] !== undefined && typeof values[key] !== 'string');
  return Object.fromEntries(picked.map((key) => [key, values[key]]));
}

function withoutSiblings(files: Snapshot['files']): Snapshot['files'] {
  return Object.fromEntries(
    Object.entries(files).map(([path, { siblings: _siblings, ...file }]) => [path, file]),
  );
}

function withoutSecrets<Value>(value: Value): Value {
  if (typeof value === 'string') return removeSecrets(value) as Value;
  if (Array.isArray(value)) return value.map(withoutSecrets) as Value;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [removeSecrets(key), withoutSecrets(entry)]),
  ) as Value;
}
