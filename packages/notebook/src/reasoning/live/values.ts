// Value facts as the kernel tells them, in the form the reasoning keeps them.
import type { ValueFacts as LiveValues, ObjectFact } from '@grus/kernel/snapshot';
import type { Fact, ScalarType, ValueFacts } from '../facts.js';
import type { CommonFields } from './context.js';

export type Representation = NonNullable<ObjectFact['representation']>;

export function valueFacts(values: LiveValues): ValueFacts {
  return {
    ...(typeof values.min === 'number' && { min: values.min }),
    ...(typeof values.max === 'number' && { max: values.max }),
    ...(values.has_nan !== undefined && { hasNan: values.has_nan }),
    ...(values.has_inf !== undefined && { hasInf: values.has_inf }),
    ...(values.unique !== undefined && { unique: values.unique }),
    ...(values.rarest !== undefined && { rarest: values.rarest }),
    ...(values.commonest !== undefined && { commonest: values.commonest }),
    ...(values.examples && { examples: values.examples }),
    ...(values.examples_complete !== undefined && { examplesComplete: values.examples_complete }),
    ...(values.element_types && { elementTypes: values.element_types }),
    ...(values.exhaustive !== undefined && { exhaustive: values.exhaustive }),
    ...(values.rejected_by?.float && { notFloat: values.rejected_by.float.value }),
    ...(values.rejected_by?.int && { notInt: values.rejected_by.int.value }),
    ...(values.ragged !== undefined && { ragged: values.ragged }),
    ...(values.categories && values.categories_complete && { categories: values.categories }),
  };
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
