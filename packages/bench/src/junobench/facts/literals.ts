// Recorded values as literals of the snapshot, and what a recorded number says about the dtype it was taken from.
import type { Literal } from '@grus/kernel/snapshot';
import type { PyValue } from '../pprint/value.js';

/** The value as a literal; undefined for what a literal cannot carry. */
export function literalOf(value: PyValue | undefined): Literal | undefined {
  if (value === undefined) return undefined;
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value;
  switch (value.type) {
    case 'int':
      return Number.isSafeInteger(value.value) ? value.value : { special: value.digits };
    case 'float':
      return Number.isFinite(value.value) ? value.value : { special: specialFloat(value.value) };
    case 'list':
    case 'tuple': {
      if (value.cut) return undefined;
      const items = value.items.map(literalOf);
      return items.some((item) => item === undefined) ? undefined : (items as Literal[]);
    }
    case 'call':
      return value.args.length === 1 && /^(np|numpy)\.\w+$/.test(value.name)
        ? literalOf(value.args[0])
        : undefined;
    default:
      return undefined;
  }
}

function specialFloat(value: number): string {
  if (Number.isNaN(value)) return 'nan';
  return value > 0 ? 'inf' : '-inf';
}

/** The Python class of a recorded value, where its notation tells. */
export function typeNameOf(value: PyValue): string | undefined {
  if (value === null) return 'NoneType';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'string') return 'str';
  if (value.type === 'call') {
    const [, plain] = /^(?:np|numpy)\.(\w+)$/.exec(value.name) ?? [];
    return plain ?? value.name;
  }
  return value.type === 'opaque' ? undefined : value.type;
}

/** The family of dtypes a numeric range was taken from. The record keeps the notation, not the width: "int", not "int64". */
export function dtypeFamily(range: readonly PyValue[]): string | undefined {
  const types = new Set(range.map(typeNameOf));
  if (types.size !== 1) return undefined;
  const [only] = types;
  return only === 'int' || only === 'float' || only === 'bool' ? only : undefined;
}

/** The record cuts long strings at 20 characters and marks the cut. */
export function isCutString(value: PyValue): boolean {
  return typeof value === 'string' && value.length >= 20 && value.endsWith('...');
}
