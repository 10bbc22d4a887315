/**
 * # Something that has no elements is looped over
 *
 * ## What
 * `for … in x`, `*x`, unpacking or a comprehension over a number, None, a function or a module.
 *
 * ## Why it crashes
 * Python raises `TypeError: '…' object is not iterable`.
 *
 * ## Example
 * ```python state
 * epochs = 3
 * ```
 * ```python cell
 * for epoch in epochs:
 *     print(epoch)
 * ```
 *
 * ## Fix
 * Loop over `range(n)`, or over the collection that was meant.
 * ```python fixed
 * for epoch in range(epochs):
 *     print(epoch)
 * ```
 *
 * ## When it stays silent
 * When the class may define `__iter__` or `__getitem__`.
 */
import type { Operand } from '../../reasoning/events.js';
import type { Fact } from '../../reasoning/facts.js';
import { type CheckContext, defineCheck } from '../define-check.js';
import { article, typeName } from '../wording.js';
import { isNotIterable } from './protocols.js';

export default defineCheck({
  id: 'types/not-iterable',
  title: 'Something that has no elements is looped over',
  rung: 'contracts',
  libraries: [],
  on: {
    iterate: (event, context) =>
      claim(event.iterable, context, `'${typeName(event.iterable.fact)}' object is not iterable`),
    unpack: (event, context) =>
      claim(
        event.value,
        context,
        `cannot unpack non-iterable ${typeName(event.value.fact)} object`,
        'unpacked',
      ),
    call(event, context) {
      const [first] = event.args.positional;
      if (event.target !== null && consumers.has(event.target) && first && event.args.positional.length === 1)
        claim(first, context, `'${typeName(first.fact)}' object is not iterable`);
    },
  },
});

const consumers = new Set([
  'builtins.list',
  'builtins.tuple',
  'builtins.set',
  'builtins.enumerate',
  'builtins.sorted',
  'builtins.sum',
  'builtins.any',
  'builtins.all',
]);

function claim(
  operand: Operand,
  context: CheckContext,
  message: string,
  use: 'unpacked' | 'gone through' = 'gone through',
): void {
  if (!hasNoElements(operand.fact) && !isNotIterable(operand.fact, context)) return;
  const name = context.text(operand.node);
  const kind = typeName(operand.fact);
  context.report({
    exception: 'TypeError',
    message: messageFor(operand.fact, message),
    evidence: [{ fact: `${name} is ${article(kind)}`, source: context.source(operand) }],
    explanation:
      use === 'unpacked'
        ? `Unpacking \`${name}\` raises TypeError: it is ${article(kind)}, a single value.`
        : `Going through the elements of \`${name}\` raises TypeError: it is ${article(kind)}.`,
    remedy: remedyFor(operand, name, use),
  });
}

function remedyFor({ node, fact }: Operand, name: string, use: 'unpacked' | 'gone through'): string {
  if (use === 'unpacked') {
    const whole = node.nodeType === 'Subscript' ? name.replace(/\[[^[\]]*\]$/, '') : name;
    return whole === name
      ? 'Assign it to one name, or unpack the collection that was meant.'
      : `Assign it to one name, or unpack all of \`${whole}\`.`;
  }
  return fact.kind === 'scalar'
    ? `Use \`range(${name})\` to count, or the collection itself.`
    : 'Use the collection that was meant.';
}

function hasNoElements(fact: Fact): boolean {
  if (fact.kind === 'scalar') return fact.type !== 'str' && fact.type !== 'bytes' && fact.class !== undefined;
  return fact.kind === 'none' || fact.kind === 'function' || fact.kind === 'module' || isNumberInTensor(fact);
}

function isNumberInTensor(fact: Fact): boolean {
  return fact.kind === 'tensor' && fact.shape?.length === 0;
}

/** torch words it in its own way. */
function messageFor(fact: Fact, otherwise: string): string {
  return isNumberInTensor(fact) ? 'iteration over a 0-d tensor' : otherwise;
}
