// Plain Python values on the TypeScript side: comparing them as dict keys and column labels do, and writing them as
// Python would print them.
import type { Literal } from '@grus/kernel/snapshot';
import { type Fact, type Ref, type Scalar, unknown } from './facts.js';

/** Two literals that are equal and hash alike in Python have the same key (1, 1.0 and True are one key). */
export function keyOf(literal: Literal): string {
  if (literal === null) return 'None';
  if (typeof literal === 'boolean') return `n${literal ? 1 : 0}`;
  if (typeof literal === 'number') return `n${literal}`;
  if (typeof literal === 'string') return `s${literal}`;
  if (Array.isArray(literal)) return `(${literal.map(keyOf).join(',')})`;
  return `x${(literal as { special: string }).special}`;
}

export function sameLiteral(a: Literal, b: Literal): boolean {
  return keyOf(a) === keyOf(b);
}

export function includesLiteral(list: readonly Literal[], value: Literal): boolean {
  const key = keyOf(value);
  return list.some((item) => keyOf(item) === key);
}

/** The literal as Python's repr would write it; arrays are written as tuples. */
export function pythonRepr(literal: Literal): string {
  if (literal === null) return 'None';
  if (typeof literal === 'boolean') return literal ? 'True' : 'False';
  if (typeof literal === 'number') return String(literal);
  if (typeof literal === 'string') return reprString(literal);
  if (Array.isArray(literal)) {
    const inner = literal.map(pythonRepr);
    return inner.length === 1 ? `(${inner[0]},)` : `(${inner.join(', ')})`;
  }
  return (literal as { special: string }).special;
}

export function reprList(literals: readonly Literal[]): string {
  return `[${literals.map(pythonRepr).join(', ')}]`;
}

function reprString(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const escaped = text
    .replace(/\\/g, '\\\\')
    .replace(/\n/g, '\\n')
    .replace(/\r/g, '\\r')
    .replace(/\t/g, '\\t');
  return quote + (quote === "'" ? escaped.replace(/'/g, "\\'") : escaped) + quote;
}

/** A short list for a sentence: "'a', 'b', 'c' and 9 more". */
export function listed(literals: readonly Literal[], limit = 12): string {
  const shown = literals.slice(0, limit).map(pythonRepr).join(', ');
  return literals.length > limit ? `${shown} and ${literals.length - limit} more` : shown;
}

/** The literal that a fact stands for, or undefined when it is not known or not plain. */
export function literalOf(fact: Fact, look: (ref: Ref) => Fact): Literal | undefined {
  if (fact.kind === 'none') return null;
  if (fact.kind === 'scalar') return scalarLiteral(fact);
  if (fact.kind === 'tuple' && fact.items) {
    const items: Literal[] = [];
    for (const ref of fact.items) {
      const item = literalOf(look(ref), look);
      if (item === undefined) return undefined;
      items.push(item);
    }
    return items;
  }
  return undefined;
}

function scalarLiteral(fact: Scalar): Literal | undefined {
  const { value } = fact;
  if (value === undefined) return undefined;
  if (fact.type === 'bytes') return { special: `b${pythonRepr(String(value))}` };
  if (fact.type === 'complex') return { special: String(value) };
  if (typeof value === 'bigint') return { special: String(value) };
  if (typeof value === 'number' && !Number.isFinite(value)) return { special: String(value) };
  return value;
}

/** All literals of a known list, tuple, set or index, or undefined when one of them is not known. */
export function literalsOf(refs: readonly Ref[], look: (ref: Ref) => Fact): Literal[] | undefined {
  const literals: Literal[] = [];
  for (const ref of refs) {
    const literal = literalOf(look(ref), look);
    if (literal === undefined) return undefined;
    literals.push(literal);
  }
  return literals;
}

/** The fact of a plain value; elements of a tuple are put on the heap with `put`. */
export function factOfLiteral(literal: Literal, put: (fact: Fact) => Ref): Fact {
  if (literal === null) return { kind: 'none', class: 'builtins.NoneType' };
  if (typeof literal === 'boolean')
    return { kind: 'scalar', type: 'bool', value: literal, class: 'builtins.bool' };
  if (typeof literal === 'string')
    return { kind: 'scalar', type: 'str', value: literal, class: 'builtins.str' };
  if (typeof literal === 'number') {
    const type = Number.isInteger(literal) ? 'int' : 'float';
    return { kind: 'scalar', type, value: literal, class: `builtins.${type}` };
  }
  if (!Array.isArray(literal)) return unknown;
  const items = literal.map((item) => put(factOfLiteral(item, put)));
  return { kind: 'tuple', items, length: items.length, class: 'builtins.tuple' };
}
