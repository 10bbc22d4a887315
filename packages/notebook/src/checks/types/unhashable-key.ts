/**
 * # A key or element that cannot be hashed
 *
 * ## What
 * A list, dict, set, array, frame or series is used as a dict key, put into a set, or looked up in a dict.
 *
 * ## Why it crashes
 * Keys are hashed, and mutable containers refuse: `TypeError: unhashable type: 'list'`.
 *
 * ## Example
 * ```python state
 * seen = {}
 * point = [1, 2]
 * ```
 * ```python cell
 * seen[point] = True
 * ```
 *
 * ## Fix
 * Use a tuple, a frozenset or a string as key.
 * ```python fixed
 * seen[tuple(point)] = True
 * ```
 *
 * ## When it stays silent
 * When the class of the key is not known.
 */
import type { Operand } from '../../reasoning/events.js';
import type { Fact } from '../../reasoning/facts.js';
import { type CheckContext, defineCheck } from '../define-check.js';
import { article, typeName } from '../wording.js';

export default defineCheck({
  id: 'types/unhashable-key',
  title: 'A key or element that cannot be hashed',
  rung: 'contracts',
  libraries: [],
  on: {
    hashKey: (event, context) => claim(event.key, context),
    loadItem(event, context) {
      if (event.container.fact.kind === 'dict') claim(event.key, context);
    },
    storeItem(event, context) {
      if (event.container.fact.kind === 'dict') claim(event.key, context);
    },
    call(event, context) {
      const isSetAdd = event.method === 'add' && event.receiver?.fact.kind === 'set';
      if (isSetAdd && event.args.positional[0]) claim(event.args.positional[0], context);
    },
  },
});

const unhashable = new Set<Fact['kind']>(['list', 'dict', 'set', 'ndarray', 'dataframe', 'series']);

function claim(key: Operand, context: CheckContext): void {
  if (!unhashable.has(key.fact.kind)) return;
  const name = context.text(key.node);
  const kind = typeName(key.fact);
  context.report({
    exception: 'TypeError',
    message: `unhashable type: '${kind}'`,
    evidence: [{ fact: `${name} is ${article(kind)}`, source: context.source(key) }],
    explanation: `Using \`${name}\` as a key raises TypeError: ${article(kind)} cannot be hashed.`,
    remedy: key.fact.kind === 'list' ? 'Use a tuple: `tuple(…)`.' : 'Use something immutable as the key.',
  });
}
