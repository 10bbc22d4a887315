// What holds for each of many objects, taken out of the states in which they were found: elements computed on a path that is
// walked only for its effects are gone with that path's heap, but what is known of them can be kept. Each may be changed
// later on its own, so only what no mutation can change is taken along.
import { type Fact, type Ref, unknown } from './facts.js';
import { joinFacts, rulesOf, weaken } from './kinds.js';

export interface Summary {
  /** Without references to other objects. */
  readonly fact: Fact;
  /** Of a tuple. */
  readonly items?: readonly Summary[];
}

const depth = 3;

export function summarise(look: (ref: Ref) => Fact, ref: Ref, left = depth): Summary {
  const fact = look(ref);
  const taken = withoutRefs(weaken(fact));
  if (fact.kind !== 'tuple' || !fact.items || left === 0) return { fact: taken };
  return { fact: taken, items: fact.items.map((item) => summarise(look, item, left - 1)) };
}

/** What holds whichever of the two holds. */
export function either(a: Summary, b: Summary): Summary {
  const fact = joinFacts(a.fact, b.fact);
  const isSame = fact.kind === 'tuple' && a.items && b.items && a.items.length === b.items.length;
  return { fact, ...(isSame && { items: a.items.map((item, index) => either(item, b.items![index]!)) }) };
}

/** An object of which the summary holds. */
export function putSummary(put: (fact: Fact) => Ref, { fact, items }: Summary): Ref {
  if (fact.kind !== 'tuple' || !items) return put(fact);
  return put({ ...fact, items: items.map((item) => putSummary(put, item)), length: items.length });
}

function withoutRefs(fact: Fact): Fact {
  const { summary } = rulesOf(fact);
  if (!summary) return fact.class === undefined ? unknown : { kind: 'unknown', class: fact.class };
  const left = new Set(['attributes', 'memory', 'path', ...(summary === true ? [] : summary)]);
  return Object.fromEntries(Object.entries(fact).filter(([field]) => !left.has(field))) as unknown as Fact;
}
