// What the three checks on missing names share: when a load or deletion certainly finds nothing, and how Python says so.
import type { DeleteName, LoadName } from '../../reasoning/events.js';
import { isBuiltin } from '../../reasoning/live/origin.js';
import type { CheckContext } from '../define-check.js';
import { mayBindUnseen } from './dynamic-names.js';

/** Names that Python itself provides inside class bodies and methods. */
const provided = new Set([
  '__class__',
  '__module__',
  '__qualname__',
  '__annotations__',
  '__classdict__',
  '__firstlineno__',
]);

/** Whether the name is certainly without a value here. */
export function isUnbound(
  { binding, name, node, scope }: LoadName | DeleteName,
  context: CheckContext,
): boolean {
  if (binding.status !== 'unbound' || provided.has(name)) return false;
  // Inside a class `__name` means `_Class__name`.
  if (name.startsWith('__') && !name.endsWith('__')) return false;
  // Deleting a global uncovers the builtin of the same name.
  if (scope === 'global' && binding.deleted && isBuiltin(name)) return false;
  return scope !== 'global' || !mayBindUnseen(node, context);
}

export function nameError(name: string): { exception: string; message: string } {
  return { exception: 'NameError', message: `name '${name}' is not defined` };
}

/** The exception for a variable of a function that has no value yet, in the words of the kernel's Python. */
export function localError(
  event: LoadName | DeleteName,
  context: CheckContext,
): { exception: string; message: string } {
  const [major = 3, minor = 0] = context.snapshot.python.version;
  const isNew = major > 3 || minor >= 11;
  if (event.type === 'loadName' && event.scope === 'enclosing')
    return {
      exception: 'NameError',
      message: isNew
        ? `cannot access free variable '${event.name}' where it is not associated with a value in enclosing scope`
        : `free variable '${event.name}' referenced before assignment in enclosing scope`,
    };
  return {
    exception: 'UnboundLocalError',
    message: isNew
      ? `cannot access local variable '${event.name}' where it is not associated with a value`
      : `local variable '${event.name}' referenced before assignment`,
  };
}
