// Whether a value is certainly true or certainly false in a condition.
import type { Fact } from '../../facts.js';
import type { Interpreter } from '../interpreter.js';

export function truthOf(_interpreter: Interpreter, fact: Fact): boolean | undefined {
  switch (fact.kind) {
    case 'none':
      return false;
    case 'scalar':
      return fact.value === undefined ? undefined : truthOfScalar(fact.value);
    case 'list':
    case 'tuple':
    case 'set':
    case 'frozenset':
      return fact.items ? fact.items.length > 0 : fact.length !== undefined ? fact.length > 0 : undefined;
    case 'dict':
      if (fact.entries && fact.entries.size > 0) return true;
      return fact.complete ? false : fact.length !== undefined ? fact.length > 0 : undefined;
    case 'module':
    case 'function':
    case 'class':
      return true;
    default:
      return undefined;
  }
}

function truthOfScalar(value: string | number | bigint | boolean): boolean {
  if (typeof value === 'bigint') return value !== 0n;
  return Boolean(value) || Number.isNaN(value);
}
