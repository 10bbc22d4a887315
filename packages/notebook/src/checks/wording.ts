// How findings speak of objects.
import type { Fact, Shape } from '../reasoning/facts.js';

/** The class name as Python's own messages print it. */
export function typeName(fact: Fact): string {
  if (fact.class === undefined) return fact.kind;
  const name = fact.class.split('.').at(-1)!;
  return fact.class === 'numpy.ndarray' ? 'numpy.ndarray' : name;
}

export function shapeText(shape: Shape): string {
  const inner = shape.map((dim) => (dim === null ? '?' : String(dim)));
  return inner.length === 1 ? `(${inner[0]},)` : `(${inner.join(', ')})`;
}

export function article(noun: string): string {
  return /^[aeiou]/i.test(noun) ? `an ${noun}` : `a ${noun}`;
}

/** Python's binary operators by the names of their nodes. */
export const signs: Readonly<Record<string, string>> = {
  Add: '+',
  Sub: '-',
  Mult: '*',
  Div: '/',
  FloorDiv: '//',
  Mod: '%',
  Pow: '**',
  BitAnd: '&',
  BitOr: '|',
  BitXor: '^',
  MatMult: '@',
  LShift: '<<',
  RShift: '>>',
};
