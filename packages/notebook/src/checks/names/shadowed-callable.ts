/**
 * # A call on a name that holds nothing callable
 *
 * ## What
 * The cell calls a name whose value is a list, a string, a number, a module or another object without `__call__`, most often
 * because a builtin or a function was overwritten by a variable of the same name.
 *
 * ## Why it crashes
 * Calling such an object raises `TypeError: '…' object is not callable`.
 *
 * ## Example
 * ```python state
 * list = [1, 2]
 * ```
 * ```python cell
 * x = list("ab")
 * ```
 *
 * ## Fix
 * Delete the variable (`del list`) to get the builtin back, or choose another name for it; call a function of the module
 * rather than the module.
 * ```python fixed
 * del list
 * x = list("ab")
 * ```
 *
 * ## When it stays silent
 * When the class defines `__call__` or is not known, when the name may have been bound anew, and when the call is guarded.
 */
import type { Operand } from '../../reasoning/events.js';
import { isBuiltin } from '../../reasoning/live/origin.js';
import { type CheckContext, defineCheck } from '../define-check.js';
import { typeName } from '../wording.js';
import { importOf } from './common-imports.js';

const plainKinds = new Set([
  'none',
  'scalar',
  'list',
  'tuple',
  'set',
  'frozenset',
  'dict',
  'range',
  'slice',
  'module',
]);

export default defineCheck({
  id: 'names/shadowed-callable',
  title: 'A call on a name that holds nothing callable',
  rung: 'names',
  libraries: [],
  on: {
    call({ callee }, context) {
      if (callee.node.nodeType !== 'Name' || !isUncallable(callee)) return;
      const name = callee.node.id;
      const type = typeName(callee.fact);
      const isModule = callee.fact.kind === 'module';
      context.report({
        exception: 'TypeError',
        message: `'${type}' object is not callable`,
        evidence: [
          {
            fact: `\`${name}\` is ${isModule ? 'a module' : `of type ${type}`}`,
            source: context.source(callee),
          },
        ],
        explanation: isModule
          ? `\`${name}\` is a module, and a module cannot be called.`
          : `\`${name}\` holds a value of type ${type}, which cannot be called${isBuiltin(name) ? `; it hides the builtin \`${name}\`` : ''}.`,
        remedy: remedy(name, callee, context),
      });
    },
  },
});

/** Read off the live object's class; without it, only values whose type admits no doubt count. */
function isUncallable({ fact }: Operand): boolean {
  return fact.callable === false || (fact.callable === undefined && plainKinds.has(fact.kind));
}

function remedy(name: string, callee: Operand, context: CheckContext): string {
  if (isBuiltin(name))
    return `Run \`del ${name}\` to get the builtin back, and give the variable another name.`;
  if (callee.fact.kind === 'module') {
    const module = callee.fact.name;
    const leaf = module.split('.').at(-1)!;
    return `Call something of the module, such as \`${name}.${leaf}(…)\`, or import it: \`from ${module} import ${leaf}\`.`;
  }
  const statement = importOf(name);
  if (statement) return `Import it again: \`${statement}\`.`;
  return `Give the variable another name than the function, and define \`${name}\` again; it was read at ${context.source(callee)}.`;
}
