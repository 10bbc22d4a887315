/**
 * # A name that nothing defines
 *
 * ## What
 * The cell, or a function that it calls, loads a name that is neither in the live namespace nor a builtin, and that nothing
 * in the cell binds before the load.
 *
 * ## Why it crashes
 * Python raises `NameError` when a global name is loaded and found neither in the namespace nor among the builtins.
 *
 * ## Example
 * ```python cell
 * x = np.zeros(3)
 * ```
 *
 * ## Fix
 * Import or define the name first. The message names the customary import, or a name that looks like yours.
 * ```python fixed
 * import numpy as np
 *
 * x = np.zeros(3)
 * ```
 *
 * ## When it stays silent
 * When a magic, `exec`, `globals()`, a star import or unknown code may have bound the name, when the load is conditional,
 * and when the `NameError` is caught.
 */
import { defineCheck } from '../define-check.js';
import { definingCell, remedyFor } from './remedies.js';
import { isUnbound, nameError } from './unbound.js';

export default defineCheck({
  id: 'names/undefined-name',
  title: 'A name that nothing defines',
  rung: 'names',
  libraries: [],
  on: {
    loadName(event, context) {
      if (event.scope !== 'global' || !isUnbound(event, context) || event.binding.deleted) return;
      if (definingCell(event.name, context)) return;
      context.report({
        ...nameError(event.name),
        evidence: [{ fact: `the namespace has no name '${event.name}'`, source: 'kernel: namespace' }],
        explanation: `\`${event.name}\` raises NameError: it is not defined in the kernel, and the cell does not define it before this line.`,
        ...remedyFor(event.name, event.node, context),
      });
    },
    deleteName(event, context) {
      if (event.scope !== 'global' || !isUnbound(event, context) || event.binding.deleted) return;
      context.report({
        ...nameError(event.name),
        evidence: [{ fact: `the namespace has no name '${event.name}'`, source: 'kernel: namespace' }],
        explanation: `\`del ${event.name}\` raises NameError: there is no such name to delete.`,
        remedy: `Remove the deletion of \`${event.name}\`, or delete it only if it exists.`,
      });
    },
  },
});
