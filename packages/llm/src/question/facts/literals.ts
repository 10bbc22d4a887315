// Literals of a snapshot as Python would write them, cut where they are long.
import type { Literal } from '@grus/kernel/snapshot';

export function show(value: Literal, longest = 60): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return JSON.stringify(cut(value, longest));
  if ('special' in value) return cut(value.special, longest);
  return `(${value.map((item) => show(item, longest)).join(', ')})`;
}

export function list(values: readonly Literal[], most: number, complete = true): string {
  const shown = values.slice(0, most).map((value) => show(value));
  const rest = values.length - shown.length;
  return [...shown, ...(rest > 0 ? [`… ${rest} more`] : complete ? [] : ['…'])].join(', ');
}

export function shape(dimensions: readonly (number | null)[]): string {
  return `(${dimensions.map((size) => size ?? '?').join(', ')}${dimensions.length === 1 ? ',' : ''})`;
}

function cut(text: string, longest: number): string {
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text;
}
