/**
 * # Joining elements that are not strings
 *
 * ## What
 * `separator.join(elements)` where a known element is a number, None or a container.
 *
 * ## Why it crashes
 * `join` accepts only strings: `TypeError: sequence item 0: expected str instance, int found`.
 *
 * ## Example
 * ```python state
 * layers = [64, 32]
 * ```
 * ```python cell
 * "-".join(layers)
 * ```
 *
 * ## Fix
 * Convert the elements: `"-".join(str(layer) for layer in layers)`.
 * ```python fixed
 * "-".join(str(layer) for layer in layers)
 * ```
 *
 * ## When it stays silent
 * When the elements are not known.
 */
import { defineCheck } from '../define-check.js';
import { typeName } from '../wording.js';

export default defineCheck({
  id: 'text/join-of-non-texts',
  title: 'Joining elements that are not strings',
  rung: 'contracts',
  libraries: [],
  on: {
    call(event, context) {
      const { receiver } = event;
      const [given] = event.args.positional;
      if (
        event.method !== 'join' ||
        receiver?.fact.kind !== 'scalar' ||
        receiver.fact.type !== 'str' ||
        !given
      )
        return;
      if ((given.fact.kind !== 'list' && given.fact.kind !== 'tuple') || !given.fact.items) return;
      const position = given.fact.items.findIndex((ref) => {
        const fact = context.look(ref);
        return (
          (fact.kind === 'scalar' && fact.type !== 'str') ||
          ['none', 'list', 'dict', 'tuple'].includes(fact.kind)
        );
      });
      if (position < 0) return;
      const kind = typeName(context.look(given.fact.items[position]!));
      const name = context.text(given.node);
      context.report({
        exception: 'TypeError',
        message: `sequence item ${position}: expected str instance, ${kind} found`,
        evidence: [
          { fact: `element ${position} of ${name} is of type ${kind}`, source: context.source(given) },
        ],
        explanation: `\`${context.text(event.node)}\` raises TypeError: element ${position} of ${name} is of type ${kind}, not a text.`,
        remedy: `Convert the elements: \`.join(str(item) for item in ${name})\`.`,
      });
    },
  },
});
