// Reading the attributes of a layer as plain values.
import type { Literal } from '@grus/kernel/snapshot';
import type { Fact, Ref } from '../../reasoning/facts.js';
import { literalOf } from '../../reasoning/literals.js';
import type { TorchModule } from './kinds.js';

export type Look = (ref: Ref) => Fact;

/** How a module was made, as a plain value: as a live one shows it, or as the walked code asked for it. */
export function attributeOf(look: Look, module: TorchModule, name: string): Literal | undefined {
  const ref = module.attributes?.get(name) ?? module.options?.get(name);
  return ref === undefined ? undefined : literalOf(look(ref), look);
}

/** A parameter that is one number for all axes or one per axis. */
export function sizes(value: Literal | undefined, rank: number): number[] | undefined {
  if (typeof value === 'number') return Array.from({ length: rank }, () => value);
  if (!Array.isArray(value)) return undefined;
  const numbers = value.filter((part): part is number => typeof part === 'number');
  if (numbers.length !== value.length) return undefined;
  return numbers.length === rank
    ? numbers
    : numbers.length === 1
      ? Array.from({ length: rank }, () => numbers[0]!)
      : undefined;
}
