// Whether the class of an object certainly lacks what an operation needs: told of live objects by the kernel, and asked for
// estimators that the cell makes, whose class is loaded.
import type { Fact } from '../../reasoning/facts.js';
import type { CheckContext } from '../define-check.js';
import { mayHaveSet } from '../names/import-system.js';

/** Kinds whose objects may be of any class, so that only the class can tell. */
const ofAnyClass = new Set<Fact['kind']>(['instance', 'estimator', 'torch-module', 'keras-model']);

/** True when looping needs `__iter__` or `__getitem__` and the class has neither. */
export function isNotIterable(fact: Fact, context: CheckContext): boolean {
  return lacks(fact, fact.iterable, ['__iter__', '__getitem__'], context);
}

export function isNotSubscriptable(fact: Fact, context: CheckContext): boolean {
  return lacks(fact, fact.subscriptable, ['__getitem__'], context);
}

function lacks(
  fact: Fact,
  told: boolean | undefined,
  methods: readonly string[],
  context: CheckContext,
): boolean {
  if (!ofAnyClass.has(fact.kind) || told === true) return false;
  if (methods.some((method) => mayHaveSet(method, context.cell))) return false;
  if (told === false) return true;
  if (fact.kind !== 'estimator' || fact.class === undefined || fact.class.startsWith('__main__.'))
    return false;
  const path = fact.class;
  const answers = methods.map((value) => context.ask({ ask: 'class_attribute', path, value }));
  return answers.every((answer) => answer?.status === 'no');
}
