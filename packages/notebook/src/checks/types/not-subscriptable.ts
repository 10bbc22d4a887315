/**
 * # Something that has no items is subscripted
 *
 * ## What
 * `x[…]` where x is None, a number, a set, a function, a method or a generator. Often the call parentheses were forgotten
 * or an in-place method returned None.
 *
 * ## Why it crashes
 * Python raises `TypeError: '…' object is not subscriptable`.
 *
 * ## Example
 * ```python state
 * values = {3, 1, 2}
 * ```
 * ```python cell
 * values[0]
 * ```
 *
 * ## Fix
 * Subscript the right object: call the function first, make a list of the set or generator.
 * ```python fixed
 * sorted(values)[0]
 * ```
 *
 * ## When it stays silent
 * When the class may define `__getitem__` or `__class_getitem__`.
 */
import type { Fact } from '../../reasoning/facts.js';
import { defineCheck } from '../define-check.js';
import { article, typeName } from '../wording.js';
import { isNotSubscriptable } from './protocols.js';

export default defineCheck({
  id: 'types/not-subscriptable',
  title: 'Something that has no items is subscripted',
  rung: 'contracts',
  libraries: [],
  on: {
    loadItem(event, context) {
      const { fact } = event.container;
      if (!hasNoItems(fact) && !isNotSubscriptable(fact, context)) return;
      const name = context.text(event.container.node);
      const kind = fact.kind === 'iterator' ? (fact.class?.split('.').at(-1) ?? 'iterator') : typeName(fact);
      context.report({
        exception: 'TypeError',
        message: `'${kind}' object is not subscriptable`,
        evidence: [{ fact: `${name} is ${article(kind)}`, source: context.source(event.container) }],
        explanation: `\`${context.text(event.node)}\` raises TypeError: ${name} is ${article(kind)}, which has no items.`,
        remedy:
          fact.kind === 'function'
            ? 'Call the function with `(…)` first.'
            : fact.kind === 'none'
              ? 'Find out why it is None: methods that work in place return None.'
              : fact.kind === 'iterator' || fact.kind === 'set'
                ? 'Make a list of it first.'
                : 'Subscript the collection that was meant.',
      });
    },
  },
});

function hasNoItems(fact: Fact): boolean {
  if (fact.kind === 'scalar')
    return fact.type !== 'str' && fact.type !== 'bytes' && (fact.class?.startsWith('builtins.') ?? false);
  if (fact.kind === 'iterator') return fact.subscriptable === false && fact.class !== 'builtins.dict_view';
  return (
    fact.kind === 'none' ||
    fact.kind === 'set' ||
    fact.kind === 'frozenset' ||
    fact.kind === 'function' ||
    fact.kind === 'module'
  );
}
