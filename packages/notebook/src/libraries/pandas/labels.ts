// Arguments that name rows or columns.
import type { Literal } from '@grus/kernel/snapshot';
import type { Operand } from '../../reasoning/events.js';
import type { Fact, Ref } from '../../reasoning/facts.js';
import { literalsOf } from '../../reasoning/literals.js';

/** The labels that a "label or list of labels" argument names; undefined when any is not known. */
export function labelsOf(
  look: (ref: Ref) => Fact,
  literal: (ref: Ref) => Literal | undefined,
  operand: Operand,
): Literal[] | undefined {
  const { fact } = operand;
  if (fact.kind === 'list' || fact.kind === 'set')
    return fact.items ? literalsOf(fact.items, look) : undefined;
  if (fact.kind === 'index') return fact.labels ? [...fact.labels] : undefined;
  const single = literal(operand.ref);
  return single === undefined ? undefined : [single];
}
