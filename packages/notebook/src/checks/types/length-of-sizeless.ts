/**
 * # The length of something that has none
 *
 * ## What
 * `len(x)` of a number, None, a function or a generator.
 *
 * ## Why it crashes
 * Python raises `TypeError: object of type '…' has no len()`.
 *
 * ## Example
 * ```python state
 * n = 3
 * ```
 * ```python cell
 * len(n)
 * ```
 *
 * ## Fix
 * Take the length of the collection, or `sum(1 for _ in generator)`.
 * ```python fixed
 * len([n])
 * ```
 *
 * ## When it stays silent
 * When the class may define `__len__`.
 */
import { defineCheck } from '../define-check.js';
import { article, typeName } from '../wording.js';

export default defineCheck({
  id: 'types/length-of-sizeless',
  title: 'The length of something that has none',
  rung: 'contracts',
  libraries: [],
  on: {
    call(event, context) {
      const [value] = event.args.positional;
      if (event.target !== 'builtins.len' || !value) return;
      const { fact } = value;
      const isNumber =
        fact.kind === 'scalar' && fact.type !== 'str' && fact.type !== 'bytes' && fact.class !== undefined;
      const isIterator =
        fact.kind === 'iterator' &&
        ['builtins.generator', 'builtins.zip', 'builtins.enumerate'].includes(fact.class ?? '');
      if (!isNumber && !isIterator && fact.kind !== 'none' && fact.kind !== 'function') return;
      const kind = typeName(fact);
      const name = context.text(value.node);
      context.report({
        exception: 'TypeError',
        message: `object of type '${kind}' has no len()`,
        evidence: [{ fact: `${name} is ${article(kind)}`, source: context.source(value) }],
        explanation: `\`len(${name})\` raises TypeError: ${name} is ${article(kind)}.`,
        remedy: isIterator
          ? `Make a list of it first: \`len(list(${name}))\`.`
          : 'Take the length of the collection that was meant.',
      });
    },
  },
});
