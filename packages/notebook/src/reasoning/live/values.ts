// Value facts as the kernel tells them, in the form the reasoning keeps them.
import type { ValueFacts as LiveValues, ObjectFact } from '@grus/kernel/snapshot';
import { type Fact, known, type ScalarType, type ValueFacts } from '../facts.js';
import type { CommonFields } from './context.js';

export type Representation = NonNullable<ObjectFact['representation']>;

export function valueFacts(values: LiveValues): ValueFacts {
  return known({
    ...(typeof values.min === 'number' && { min: values.min }),
    ...(typeof values.max === 'number' && { max: values.max }),
    hasNan: values.has_nan,
    hasInf: values.has_inf,
    unique: values.unique,
    rarest: values.rarest,
    commonest: values.commonest,
    examples: values.examples,
    examplesComplete: values.examples_complete,
    elementTypes: values.element_types,
    exhaustive: values.exhaustive,
    ...(values.rejected_by?.float && { notFloat: values.rejected_by.float.value }),
    ...(values.rejected_by?.int && { notInt: values.rejected_by.int.value }),
    ragged: values.ragged,
    ...(values.categories && values.categories_complete && { categories: values.categories }),
  });
}

/** A dtype that is really known. */
export function knownDtype(dtype: string | undefined): string | undefined {
  return dtype === '' || dtype === '?' ? undefined : dtype;
}

export function scalarFact(object: ObjectFact, common: CommonFields, type: ScalarType): Fact {
  const literal = object.values?.cut ? undefined : object.values?.literal;
  const isPlain = literal !== undefined && literal !== null && typeof literal !== 'object';
  return { ...common, kind: 'scalar', type, ...(isPlain && { value: literal }) };
}
