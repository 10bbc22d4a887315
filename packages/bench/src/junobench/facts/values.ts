// The value facts that all recorded data share: a range, the number of distinct values, the values themselves.
import type { Literal, ObjectFact } from '@grus/kernel/snapshot';
import { asBoolean, asNumber, asString, get, isSequence, type PyValue } from '../pprint/value.js';
import { dtypeFamily, isCutString, literalOf, typeNameOf } from './literals.js';

export type ValueFacts = NonNullable<ObjectFact['values']>;

export interface ReadValues {
  readonly values: ValueFacts;
  /** The dtype family that the notation of the values proves, when the record has no dtype. */
  readonly dtype: string | undefined;
}

/** Reads `value_range`, `unique_values`, `example_values`, `num_unique` and `has_nan` of one record or column. */
export function readValues(record: PyValue): ReadValues {
  const info = get(record, 'value_info');
  const either = (key: string): PyValue | undefined => get(record, key) ?? get(info, key);
  const range = rangeOf(either('value_range'));
  const distinct = itemsOf(either('unique_values'));
  const sampled = itemsOf(either('example_values'));
  const unique = asNumber(either('num_unique')) ?? (isBinary(record, info) ? distinct?.length : undefined);
  const shown = distinct ?? sampled;
  const hasNan = asBoolean(get(record, 'has_nan'));
  const values: ValueFacts = {};
  if (range !== undefined) {
    values.min = literalOf(range[0])!;
    values.max = literalOf(range[1])!;
  }
  const numbers = distinct?.map(literalOf).filter((value) => typeof value === 'number') ?? [];
  if (range === undefined && numbers.length > 0 && numbers.length === unique) {
    values.min = Math.min(...numbers);
    values.max = Math.max(...numbers);
  }
  if (hasNan !== undefined) values.has_nan = hasNan;
  if (unique !== undefined) values.unique = unique;
  if (shown !== undefined) Object.assign(values, examplesOf(shown, unique));
  return { values, dtype: dtypeFamily(range ?? (distinct?.length === unique ? (distinct ?? []) : [])) };
}

function examplesOf(shown: readonly PyValue[], unique: number | undefined): ValueFacts {
  const whole = shown.filter((value) => !isCutString(value));
  const literals = whole.map(literalOf).filter((value): value is Literal => value !== undefined);
  const types = [...new Set(shown.map(typeNameOf))].filter((name): name is string => name !== undefined);
  const complete = literals.length === shown.length && shown.length === unique;
  return {
    examples: literals,
    examples_complete: complete,
    ...(types.length > 0 ? { element_types: types, exhaustive: shown.length === unique } : {}),
  };
}

function rangeOf(value: PyValue | undefined): readonly [PyValue, PyValue] | undefined {
  if (!isSequence(value) || value.items.length !== 2) return undefined;
  const [low, high] = value.items;
  if (literalOf(low) === undefined || literalOf(high) === undefined) return undefined;
  return [low!, high!];
}

function itemsOf(value: PyValue | undefined): readonly PyValue[] | undefined {
  return isSequence(value) ? value.items : undefined;
}

function isBinary(record: PyValue, info: PyValue | undefined): boolean {
  return asString(get(info, 'value_type')) === 'binary' || asString(get(record, 'type')) === 'binary';
}
