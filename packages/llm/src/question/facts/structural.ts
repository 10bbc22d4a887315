// What exists and how it hangs together: origin, keys, layers, parameters, states such as "fitted".
import type { ObjectFact } from '@grus/kernel/snapshot';
import { type Part, part } from './fact.js';
import { list } from './literals.js';

type Structural = NonNullable<ObjectFact['structural']>;

const states = ['fitted', 'compiled', 'built', 'training'] as const;

export function structuralParts(facts: Structural, mentioned: ReadonlySet<string>): Part[] {
  const parts: Part[] = [];
  const add = (rank: number, text: string) => parts.push(part('structural', rank, text));
  for (const state of states) if (facts[state] !== undefined) add(1, facts[state] ? state : `not ${state}`);
  if (facts.defined_in !== undefined) add(5, `bound by input ${facts.defined_in}`);
  if (facts.keys) {
    const near = facts.keys.filter((key) => typeof key === 'string' && mentioned.has(key));
    if (near.length > 0) add(1, `has the keys ${list(near, 30)}`);
    add(3, `keys ${list(facts.keys, 40, facts.complete ?? false)}`);
  }
  if (facts.default) add(2, 'makes up missing keys');
  if (facts.dynamic_attributes) add(3, 'makes up attributes by code');
  if (facts.layers?.length) {
    const layers = facts.layers.slice(0, 40).map((layer) => `${layer.name}: ${layer.class}`);
    add(2, `layers ${layers.join(', ')}${facts.layers.length > 40 ? ', …' : ''}`);
  }
  if (facts.base_classes?.length) add(4, `derives from ${facts.base_classes.slice(0, 6).join(', ')}`);
  if (facts.version !== undefined) add(4, `version ${facts.version}`);
  if (facts.attributes) {
    const names = Object.keys(facts.attributes).filter((name) => !name.startsWith('_'));
    if (names.length > 0) add(6, `attributes ${names.slice(0, 40).join(', ')}`);
  }
  return parts;
}
