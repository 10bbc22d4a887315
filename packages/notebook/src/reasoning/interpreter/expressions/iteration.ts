// What iterating over an object yields.

import type { Elements } from '../../context.js';
import type { Operand } from '../../events.js';
import { type FactOf, known, type Ref } from '../../facts.js';
import { putScalar } from '../../plain-objects.js';
import { firstAnswer } from '../../registry.js';
import { fewWitnesses, witnessesIn } from '../../witnesses.js';
import type { Interpreter } from '../interpreter.js';
import { drawingMayRunCode } from '../user-code/effects.js';

/** Ranges and strings up to this length are listed element by element. */
const listable = 200;

export function elementsOf(interpreter: Interpreter, iterable: Operand): Elements {
  const { fact } = iterable;
  drawingMayRunCode(interpreter, iterable);
  const known = firstAnswer((library) => library.iterate?.[fact.kind]?.(iterable, interpreter));
  if (known) return known;
  switch (fact.kind) {
    case 'list':
    case 'tuple':
      interpreter.exact?.adopt(
        iterable.ref,
        (fact.items ?? []).map((ref, index) => [index, ref] as const),
      );
      return listed(interpreter, fact);
    case 'iterator':
    case 'set':
    case 'frozenset':
      return listed(interpreter, fact);
    case 'range':
      return rangeElements(interpreter, fact);
    case 'dict': {
      if (!fact.complete || !fact.entries) return fact.length === undefined ? {} : { count: fact.length };
      const items = [...fact.entries.values()].map(({ key }) => interpreter.putLiteral(key));
      return { items, count: items.length };
    }
    case 'scalar': {
      if (fact.type !== 'str') return {};
      const element = putScalar(interpreter, 'str');
      if (typeof fact.value !== 'string') return { element };
      const characters = [...fact.value];
      if (characters.length > listable) return { element, count: characters.length };
      return { items: characters.map((value) => interpreter.putLiteral(value)), count: characters.length };
    }
    default:
      return {};
  }
}

function listed(
  interpreter: Interpreter,
  fact: FactOf<'list' | 'tuple' | 'set' | 'frozenset' | 'iterator'>,
): Elements {
  return known({
    items: fact.items,
    element: fact.element,
    count: fact.length,
    ...(!fact.items && { witnesses: witnessesOf(interpreter, fact) }),
    ...(fact.kind === 'iterator' && fact.first !== undefined && { first: fact.first }),
    ...(fact.kind === 'iterator' && fact.last !== undefined && { last: fact.last }),
    ...(fact.kind === 'iterator' && fact.nonEmpty && { nonEmpty: true }),
    ...(fact.kind === 'iterator' && fact.refusal && { refusal: fact.refusal }),
  });
}

function witnessesOf(
  interpreter: Interpreter,
  fact: FactOf<'list' | 'tuple' | 'set' | 'frozenset' | 'iterator'>,
): readonly Ref[] {
  if (fact.kind === 'iterator') return fact.witnesses ?? [];
  if (fact.samples) return fewWitnesses(fact.samples);
  return fact.values ? witnessesIn(interpreter, fact.values, undefined) : [];
}

function rangeElements(
  interpreter: Interpreter,
  fact: { readonly start?: number; readonly stop?: number; readonly step?: number },
): Elements {
  const element = putScalar(interpreter, 'int');
  if (fact.start === undefined || fact.stop === undefined || fact.step === undefined || fact.step === 0)
    return { element };
  const { start, stop, step } = fact;
  const count = Math.max(0, Math.ceil((stop - start) / step));
  const at = (index: number) => putScalar(interpreter, 'int', start + index * step);
  if (count > listable) return { element, count, first: at(0), last: at(count - 1) };
  return { items: Array.from({ length: count }, (_, index) => at(index)), count };
}
