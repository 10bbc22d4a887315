/**
 * # A local variable that has no value yet
 *
 * ## What
 * A function that the cell calls reads a variable that the function assigns only later, or on a path that is not taken.
 *
 * ## Why it crashes
 * A name that a function assigns anywhere is local to it everywhere. Reading it before it has a value raises
 * `UnboundLocalError`, even when a global of the same name exists.
 *
 * ## Example
 * ```python state
 * count = 0
 *
 *
 * def bump():
 *     count += 1
 * ```
 * ```python cell
 * bump()
 * ```
 *
 * ## Fix
 * Give the variable a value first, pass it as an argument, or declare it `global`.
 * ```python fixed
 * def bump():
 *     global count
 *     count += 1
 *
 *
 * bump()
 * ```
 *
 * ## When it stays silent
 * When some path to the read assigns the variable, and when the exception is caught.
 */
import { defineCheck } from '../define-check.js';
import { isUnbound, localError } from './unbound.js';

export default defineCheck({
  id: 'names/unbound-local',
  title: 'A local variable that has no value yet',
  rung: 'names',
  libraries: [],
  on: {
    loadName(event, context) {
      if (event.scope === 'global' || !isUnbound(event, context) || event.binding.deleted) return;
      const { namespace } = context.snapshot;
      const shadows = namespace.includes(event.name);
      context.report({
        ...localError(event, context),
        evidence: [
          {
            fact: `'${event.name}' is assigned in the function, but not before this line`,
            source: 'source of the function',
          },
        ],
        explanation: `\`${event.name}\` is a local variable because the function assigns it, and it has no value here.`,
        remedy: shadows
          ? `Declare \`global ${event.name}\` in the function to mean the global variable, or pass it as an argument.`
          : `Give \`${event.name}\` a value before this line on every path.`,
      });
    },
  },
});
