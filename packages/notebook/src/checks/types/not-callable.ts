/**
 * # Something that cannot be called is called
 *
 * ## What
 * The cell calls a number, string, list, dict, frame, array, module or None. Often a builtin was shadowed (`list = [1, 2]`).
 *
 * ## Why it crashes
 * Python raises `TypeError: '…' object is not callable`.
 *
 * ## Example
 * ```python state
 * import numpy as np
 *
 * x = np.ones((3, 4))
 * ```
 * ```python cell
 * x.shape()
 * ```
 *
 * ## Fix
 * Drop the parentheses, index with `[]`, or delete the name that shadows a function. shape[0]
 * ```python fixed
 * x.shape
 * ```
 *
 * ## When it stays silent
 * When the class of the object is not known to be without `__call__`.
 */
import type { Fact } from '../../reasoning/facts.js';
import { defineCheck } from '../define-check.js';
import { article, typeName } from '../wording.js';

export default defineCheck({
  id: 'types/not-callable',
  title: 'Something that cannot be called is called',
  rung: 'contracts',
  libraries: [],
  on: {
    call(event, context) {
      const { fact } = event.callee;
      if (!isNotCallable(fact)) return;
      const name = context.text(event.callee.node);
      const kind = typeName(fact);
      context.report({
        exception: 'TypeError',
        message: `'${kind}' object is not callable`,
        evidence: [{ fact: `${name} is ${article(kind)}`, source: context.source(event.callee) }],
        explanation: `\`${context.text(event.node)}\` raises TypeError: ${name} is ${article(kind)}, which cannot be called.`,
        remedy:
          fact.kind === 'module'
            ? 'Call something of the module.'
            : fact.kind === 'none'
              ? 'Find out why it is None: functions that work in place return None.'
              : 'Leave out the parentheses, or index with `[…]`.',
      });
    },
  },
});

const plainKinds = new Set<Fact['kind']>([
  'none',
  'list',
  'tuple',
  'set',
  'frozenset',
  'dict',
  'range',
  'slice',
  'dataframe',
  'series',
  'index',
  'ndarray',
  'tensor',
  'module',
]);

function isNotCallable(fact: Fact): boolean {
  if (fact.callable !== undefined) return !fact.callable && fact.kind !== 'unknown';
  if (fact.kind === 'scalar') return fact.class !== undefined;
  return plainKinds.has(fact.kind);
}
