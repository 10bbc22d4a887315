// Value-based facts: literals, ranges, missing values, distinct values and examples, of an object and of its columns.
import type { Literal, ObjectFact, ValueFacts } from '@grus/kernel/snapshot';
import { type Part, part } from './fact.js';
import { list, show } from './literals.js';

type Values = NonNullable<ObjectFact['values']>;
type Columns = NonNullable<NonNullable<ObjectFact['representation']>['columns']>;

export function valueParts(
  values: Values,
  columns: Columns | undefined,
  mentioned: ReadonlySet<string>,
): Part[] {
  const own = describe(values);
  const parts: Part[] = own === '' ? [] : [part('values', values.literal === undefined ? 2 : 1, own)];
  values.columns?.forEach((facts, index) => {
    const label: Literal = columns?.[index]?.label ?? index;
    const text = describe(facts);
    if (text === '') return;
    const near = typeof label === 'string' && mentioned.has(label);
    parts.push(part('values', near ? 2 : 6 + index / 10, `column ${show(label)}: ${text}`));
  });
  return parts;
}

function describe(facts: ValueFacts): string {
  const words: string[] = [];
  if (facts.literal !== undefined) words.push(`value ${show(facts.literal, 120)}`);
  if (facts.range) words.push(`range(${facts.range.join(', ')})`);
  if (facts.min !== undefined && facts.max !== undefined)
    words.push(`between ${show(facts.min)} and ${show(facts.max)}`);
  if (facts.has_nan)
    words.push(facts.nan_count === undefined ? 'has missing values' : `${facts.nan_count} missing`);
  else if (facts.has_nan === false) words.push('nothing missing');
  if (facts.has_inf) words.push('has infinities');
  if (facts.unique !== undefined) words.push(`${facts.unique} distinct`);
  if (facts.classes) words.push(`classes ${list(facts.classes, 10, facts.classes_complete ?? false)}`);
  if (facts.categories)
    words.push(`categories ${list(facts.categories, 10, facts.categories_complete ?? false)}`);
  if (facts.examples?.length)
    words.push(`${facts.examples_complete ? 'values' : 'such as'} ${list(facts.examples, 6)}`);
  if (facts.element_types?.length)
    words.push(`elements of type ${facts.element_types.slice(0, 5).join(', ')}`);
  for (const [conversion, witness] of Object.entries(facts.rejected_by ?? {}))
    words.push(`${conversion}() refuses ${show(witness.value)} at ${witness.position}`);
  if (facts.ragged) words.push('rows of different lengths');
  if (facts.exhausted) words.push('exhausted');
  if (facts.history) words.push(`history ${Object.keys(facts.history).join(', ')}`);
  return words.join(', ');
}
