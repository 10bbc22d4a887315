// A fact taken out of the state in which it was found: elements computed on a path that is walked only for its effects are
// gone with that path's heap, but what is known of them can be kept. It stands for many objects, each of which may be
// changed later on its own, so only what no mutation can change is taken along.
import { type Fact, type Ref, unknown } from './facts.js';
import { weaken } from './forget.js';
import { joinFacts } from './join.js';

export interface Portable {
  /** Without references to other objects. */
  readonly fact: Fact;
  /** Of a tuple. */
  readonly items?: readonly Portable[];
}

const depth = 3;

export function take(look: (ref: Ref) => Fact, ref: Ref, left = depth): Portable {
  const fact = look(ref);
  const taken = withoutRefs(weaken(fact));
  if (fact.kind !== 'tuple' || !fact.items || left === 0) return { fact: taken };
  return { fact: taken, items: fact.items.map((item) => take(look, item, left - 1)) };
}

/** What holds whichever of the two holds. */
export function either(a: Portable, b: Portable): Portable {
  const fact = joinFacts(a.fact, b.fact);
  const isSame = fact.kind === 'tuple' && a.items && b.items && a.items.length === b.items.length;
  return { fact, ...(isSame && { items: a.items.map((item, index) => either(item, b.items![index]!)) }) };
}

export function putPortable(put: (fact: Fact) => Ref, { fact, items }: Portable): Ref {
  if (fact.kind !== 'tuple' || !items) return put(fact);
  return put({ ...fact, items: items.map((item) => putPortable(put, item)), length: items.length });
}

function withoutRefs(fact: Fact): Fact {
  const { attributes: _, memory: __, path: ___, ...plain } = fact;
  switch (plain.kind) {
    case 'unknown':
    case 'none':
    case 'scalar':
    case 'range':
    case 'dataframe':
    case 'series':
    case 'list':
    case 'dict':
    case 'set':
    case 'library':
    case 'module':
      return plain;
    case 'tuple':
    case 'frozenset': {
      const { items: _, element: __, samples: ___, ...rest } = plain;
      return rest;
    }
    case 'ndarray':
    case 'tensor': {
      const { element: _, ...rest } = plain;
      return rest;
    }
    default:
      return fact.class === undefined ? unknown : { kind: 'unknown', class: fact.class };
  }
}
