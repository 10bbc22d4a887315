// Names that libraries once had, and what their models say to use in their place.
import type { Fact } from '../../reasoning/facts.js';
import { allLibraries } from '../../reasoning/registry.js';

export function successorOf(fact: Fact, name: string): string | undefined {
  for (const { successors } of allLibraries()) {
    const table =
      fact.kind === 'module' || fact.kind === 'library'
        ? successors?.ofModules?.[fact.name]
        : (successors?.ofClasses?.[fact.class ?? ''] ?? successors?.ofKinds?.[fact.kind]);
    if (table && Object.hasOwn(table, name)) return table[name];
  }
  return undefined;
}
