// The sort of target that scikit-learn sees in labels or predictions, as far as the known values decide it.

import type { Literal } from '@grus/kernel/snapshot';
import type { Fact, ValueFacts } from '../../reasoning/facts.js';
import { shapeOf } from '../../reasoning/kinds.js';
import type { CheckContext } from '../define-check.js';

export type TargetKind = 'binary' | 'multiclass' | 'continuous' | 'continuous-multioutput';

/** Labels that are text, labels that are numbers, or undefined when that is not known. */
export type LabelType = 'string' | 'number';

export function targetKind(context: CheckContext, fact: Fact): TargetKind | undefined {
  const values = valuesOf(context, fact);
  const shape = shapeOf(fact);
  const dtype = dtypeOf(fact);
  if (shape && shape.length === 2) {
    if (shape[1] === 1 || shape[1] === null) return undefined;
    return isFloat(dtype) && hasFraction(values) ? 'continuous-multioutput' : undefined;
  }
  if (shape && shape.length !== 1) return undefined;
  if (values?.predictedBy !== undefined) return 'continuous';
  if (isFloat(dtype)) {
    if (hasFraction(values)) return 'continuous';
    return values?.examplesComplete && values.exhaustive && values.hasNan === false
      ? byCount(values.unique)
      : undefined;
  }
  const isWhole = values?.hasNan === false || (dtype !== undefined && /^(u?int|bool)/.test(dtype));
  return isWhole ? byCount(values?.unique) : undefined;
}

function byCount(unique: number | undefined): TargetKind | undefined {
  return unique === undefined ? undefined : unique <= 2 ? 'binary' : 'multiclass';
}

export function valuesOf(context: CheckContext, fact: Fact): ValueFacts | undefined {
  if (fact.kind === 'series' || fact.kind === 'ndarray') return fact.values;
  if (fact.kind !== 'list' || !fact.items || fact.items.length === 0) return undefined;
  const literals = fact.items.map((item) => context.literal(item));
  if (!literals.every((literal) => typeof literal === 'string' || typeof literal === 'number'))
    return undefined;
  const distinct = [...new Set(literals)] as Literal[];
  return {
    examples: distinct,
    examplesComplete: true,
    exhaustive: true,
    unique: distinct.length,
    hasNan: false,
  };
}

function dtypeOf(fact: Fact): string | undefined {
  return fact.kind === 'series' || fact.kind === 'ndarray' ? fact.dtype : undefined;
}

function isFloat(dtype: string | undefined): boolean {
  return dtype !== undefined && /^float/.test(dtype);
}

function hasFraction(values: ValueFacts | undefined): boolean {
  const seen: (Literal | undefined)[] = [values?.min, values?.max, ...(values?.examples ?? [])];
  return seen.some((value) => typeof value === 'number' && !Number.isInteger(value));
}

export function labelType(context: CheckContext, fact: Fact): LabelType | undefined {
  const examples = valuesOf(context, fact)?.examples;
  if (!examples || examples.length === 0) return undefined;
  if (examples.every((value) => typeof value === 'string')) return 'string';
  return examples.every((value) => typeof value === 'number' || typeof value === 'boolean')
    ? 'number'
    : undefined;
}
