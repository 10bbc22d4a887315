/**
 * # A name whose cell was not run, or failed
 *
 * ## What
 * The cell loads a name that another cell of the notebook defines, and that cell has not been run in this kernel, or it
 * failed before it could define the name.
 *
 * ## Why it crashes
 * A kernel knows only what was executed in it: the name does not exist, and Python raises `NameError`.
 *
 * ## Example
 * ```python state
 * # %% not-run
 * train = [1, 2, 3]
 * ```
 * ```python cell
 * print(len(train))
 * ```
 *
 * ## Fix
 * Run the cell that defines the name first, or repair it where it failed.
 * ```python fixed
 * train = [1, 2, 3]
 * print(len(train))
 * ```
 *
 * ## When it stays silent
 * When the name exists in the kernel after all, may have been bound by code that cannot be seen, or its load is conditional.
 */
import { defineCheck } from '../define-check.js';
import { definingCell } from './remedies.js';
import { isUnbound, nameError } from './unbound.js';

export default defineCheck({
  id: 'names/skipped-cell',
  title: 'A name whose cell was not run, or failed',
  rung: 'names',
  libraries: [],
  on: {
    loadName(event, context) {
      if (event.scope !== 'global' || !isUnbound(event, context) || event.binding.deleted) return;
      const cell = definingCell(event.name, context);
      if (!cell) return;
      const failed = cell.status === 'failed';
      const fate = failed ? 'failed before it could' : 'has not been run in this kernel';
      context.report({
        ...nameError(event.name),
        evidence: [
          { fact: `the namespace has no name '${event.name}'`, source: 'kernel: namespace' },
          {
            fact: `cell ${cell.number} defines '${event.name}' and ${failed ? 'failed' : 'has not been run'}`,
            source: `cell ${cell.number}`,
          },
        ],
        explanation: failed
          ? `\`${event.name}\` raises NameError: cell ${cell.number} should define it but ${fate}.`
          : `\`${event.name}\` raises NameError: cell ${cell.number} defines it and ${fate}.`,
        remedy: failed
          ? `Repair cell ${cell.number}, which defines \`${event.name}\`, and run it again.`
          : `Run cell ${cell.number} first: it defines \`${event.name}\`.`,
        needs: cell.number,
      });
    },
  },
});
