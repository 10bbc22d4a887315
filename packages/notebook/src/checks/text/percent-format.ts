/**
 * # As many values as placeholders are needed
 *
 * ## What
 * `"… %d … %s" % values` with more or fewer values than placeholders, or a text for a number placeholder.
 *
 * ## Why it crashes
 * Python raises `TypeError: not enough arguments for format string`, `not all arguments converted` or
 * `%d format: a real number is required, not str`.
 *
 * ## Example
 * ```python state
 * epoch = 3
 * ```
 * ```python cell
 * "epoch %d of %d" % epoch
 * ```
 *
 * ## Fix
 * Give one value for each placeholder, as a tuple, or use an f-string.
 * ```python fixed
 * "epoch %d of %d" % (epoch, 10)
 * ```
 *
 * ## When it stays silent
 * For named placeholders, for widths given by `*`, and when the values are not known.
 */
import { defineCheck } from '../define-check.js';
import { typeName } from '../wording.js';

export default defineCheck({
  id: 'text/percent-format',
  title: 'As many values as placeholders are needed',
  rung: 'contracts',
  libraries: [],
  on: {
    binary(event, context) {
      const { left, right } = event;
      if (
        event.operator !== 'Mod' ||
        left.fact.kind !== 'scalar' ||
        left.fact.type !== 'str' ||
        typeof left.fact.value !== 'string'
      )
        return;
      const text = left.fact.value;
      const placeholders = [...text.matchAll(/%([-+ 0#]*)(\*|\d+)?(?:\.(?:\*|\d+))?([a-zA-Z%])/g)].filter(
        (match) => match[3] !== '%',
      );
      if (
        text.includes('%(') ||
        text.includes('*') ||
        right.fact.kind === 'unknown' ||
        right.fact.kind === 'method' ||
        right.fact.kind === 'library' ||
        right.fact.kind === 'dict' ||
        right.fact.kind === 'instance'
      )
        return;
      if (right.fact.kind === 'tuple' && !right.fact.items) return;
      const values =
        right.fact.kind === 'tuple' ? right.fact.items!.map((ref) => context.look(ref)) : [right.fact];
      const index = placeholders.findIndex((match, position) => {
        const fact = values[position];
        return (
          /[diouxXeEfFgG]/.test(match[3]!) &&
          (fact?.kind === 'none' || (fact?.kind === 'scalar' && fact.type === 'str'))
        );
      });
      const message =
        values.length < placeholders.length && index < 0
          ? 'not enough arguments for format string'
          : index >= 0 && index < values.length
            ? `%${placeholders[index]![3]} format: a real number is required, not ${typeName(values[index]!)}`
            : values.length > placeholders.length
              ? 'not all arguments converted during string formatting'
              : null;
      if (!message) return;
      context.report({
        exception: 'TypeError',
        message,
        evidence: [
          {
            fact: `the text has ${placeholders.length} placeholder${placeholders.length === 1 ? '' : 's'}, and ${values.length} value${values.length === 1 ? ' is' : 's are'} given`,
            source: context.source(right),
          },
        ],
        explanation: `\`${context.text(event.node)}\` raises TypeError: ${message}.`,
        remedy: 'Give one fitting value for each placeholder, as a tuple, or use an f-string.',
      });
    },
  },
});
