// What Python's int() and float() accept, as far as it can be said of a text without asking the kernel.
import type { Literal } from '@grus/kernel/snapshot';
import type { Column } from '../../libraries/pandas/kinds.js';
import type { ValueFacts } from '../../reasoning/facts.js';

export function isIntText(text: string): boolean {
  return /^\s*[+-]?\d+(_\d+)*\s*$/u.test(text);
}

export function isFloatText(text: string): boolean {
  return /^\s*[+-]?(\d+(_\d+)*\.?\d*(_\d+)*(e[+-]?\d+)?|\.\d+(e[+-]?\d+)?|inf(inity)?|nan)\s*$/iu.test(text);
}

/** Only plain ASCII texts are judged here: other digits exist, and a cut example may hide its end. */
function isJudgeable(text: string): boolean {
  return /^[\x20-\x7e\t]*$/.test(text) && text.length < 100;
}

/** An element of a column that the conversion refuses, when one is known. */
export function refusedBy(values: ValueFacts | undefined, type: 'int' | 'float'): Literal | undefined {
  if (!values) return undefined;
  const witness = type === 'int' ? values.notInt : values.notFloat;
  if (witness !== undefined) return witness;
  const accepts = type === 'int' ? isIntText : isFloatText;
  return values.examples?.find(
    (example) => typeof example === 'string' && isJudgeable(example) && !accepts(example),
  );
}

/** The first column that holds a text which is no number. Where its type is not known, a text that was seen says enough. */
export function textIn(
  columns: readonly Column[],
): { readonly value: string; readonly column: Literal; readonly dtype: string | undefined } | undefined {
  for (const { label, dtype, values } of columns) {
    const value = isTextual(dtype) ? refusedBy(values, 'float') : undefined;
    if (typeof value === 'string') return { value, column: label, dtype };
  }
  return undefined;
}

export function isTextual(dtype: string | undefined): boolean {
  return dtype === undefined || /^(object|str|string|category|<U|\|?S)/.test(dtype);
}

export const textDtypes = /^(object|str|string.*|large_string.*)$/;
export const integerDtype = /^u?int\d*$/;
export const floatDtype = /^float\d*$/;
