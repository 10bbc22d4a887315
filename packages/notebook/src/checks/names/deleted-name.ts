/**
 * # A name that the cell has deleted
 *
 * ## What
 * The cell deletes a name and uses it again, or deletes it twice. The variable of an `except … as name` clause is deleted
 * by Python at the end of the clause.
 *
 * ## Why it crashes
 * After `del` the name does not exist any more; Python raises `NameError`, or `UnboundLocalError` inside a function.
 *
 * ## Example
 * ```python state
 * frame = [1]
 * ```
 * ```python cell
 * del frame
 * print(frame)
 * ```
 *
 * ## Fix
 * Move the deletion after the last use, or keep the value under another name.
 * ```python fixed
 * print(frame)
 * del frame
 * ```
 *
 * ## When it stays silent
 * When the deletion is conditional, or the name is bound again in between.
 */
import { defineCheck } from '../define-check.js';
import { isUnbound, localError, nameError } from './unbound.js';

export default defineCheck({
  id: 'names/deleted-name',
  title: 'A name that the cell has deleted',
  rung: 'names',
  libraries: [],
  on: {
    loadName(event, context) {
      if (!isUnbound(event, context) || !event.binding.deleted) return;
      context.report({
        ...(event.scope === 'global' ? nameError(event.name) : localError(event, context)),
        evidence: [{ fact: `'${event.name}' is deleted before this line`, source: 'this cell' }],
        explanation: `\`${event.name}\` was deleted earlier in the cell and is used again here.`,
        remedy: `Move the deletion of \`${event.name}\` behind its last use, or keep the value under another name.`,
      });
    },
    deleteName(event, context) {
      if (!isUnbound(event, context) || !event.binding.deleted) return;
      context.report({
        ...(event.scope === 'global' ? nameError(event.name) : localError(event, context)),
        evidence: [{ fact: `'${event.name}' is deleted before this line`, source: 'this cell' }],
        explanation: `\`${event.name}\` was deleted earlier in the cell and cannot be deleted again.`,
        remedy: `Remove the second deletion of \`${event.name}\`.`,
      });
    },
  },
});
