/**
 * # Converting a string that is not a number
 *
 * ## What
 * `int(text)` or `float(text)` of a known string that is not a number, such as `int("3.5")`.
 *
 * ## Why it crashes
 * Python raises `ValueError: invalid literal for int()` or `could not convert string to float`.
 *
 * ## Example
 * ```python state
 * answer = "3.5"
 * ```
 * ```python cell
 * int(answer)
 * ```
 *
 * ## Fix
 * Use `int(float(text))`, or clean the string first.
 * ```python fixed
 * int(float(answer))
 * ```
 *
 * ## When it stays silent
 * When the string is not known, and when a base is given.
 */
import { pythonRepr } from '../../reasoning/literals.js';
import { defineCheck } from '../define-check.js';
import { isFloatText, isIntText } from './numbers.js';

export default defineCheck({
  id: 'conversions/text-not-a-number',
  title: 'Converting a string that is not a number',
  rung: 'contracts',
  libraries: [],
  on: {
    call(event, context) {
      const isInt = event.target === 'builtins.int';
      if (
        (!isInt && event.target !== 'builtins.float') ||
        event.args.positional.length !== 1 ||
        event.args.keywords.size > 0 ||
        !event.args.complete
      )
        return;
      const [given] = event.args.positional;
      const text = context.literal(given!.ref);
      if (
        typeof text !== 'string' ||
        !/^[\x20-\x7e\t]*$/.test(text) ||
        (isInt ? isIntText(text) : isFloatText(text))
      )
        return;
      context.report({
        exception: 'ValueError',
        message: isInt
          ? `invalid literal for int() with base 10: ${pythonRepr(text)}`
          : `could not convert string to float: ${pythonRepr(text)}`,
        evidence: [
          { fact: `${context.text(given!.node)} is ${pythonRepr(text)}`, source: context.source(given!) },
        ],
        explanation: `\`${context.text(event.node)}\` raises ValueError: ${pythonRepr(text)} is no ${isInt ? 'whole number' : 'number'}.`,
        remedy: isInt && isFloatText(text) ? `Use \`int(float(…))\`.` : 'Clean the text first.',
      });
    },
  },
});
