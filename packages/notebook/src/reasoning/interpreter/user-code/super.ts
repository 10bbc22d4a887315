// `super()`: the object that a method works on, looked at from behind the class that defines the method.
import type { CallArguments } from '../../events.js';
import type { FactOf, Ref } from '../../facts.js';
import type { Interpreter } from '../interpreter.js';
import { lookUp } from '../scopes.js';
import { classMember, classOf, lineage } from './classes.js';
import { classMayChange } from './implicit.js';

export function callSuper(interpreter: Interpreter, { positional: [behind, given] }: CallArguments): Ref {
  const receiver = given?.ref ?? ownObject(interpreter);
  const classRef = receiver === undefined ? undefined : classOf(interpreter.look(receiver));
  if (receiver !== undefined && classRef !== undefined)
    return interpreter.put({
      kind: 'super',
      receiver,
      behind: behind?.ref ?? definingClass(interpreter, classRef),
    });
  // Behind a class, as in a class method, or behind something unknown, any method may change anything.
  if (receiver !== undefined) classMayChange(interpreter, receiver);
  interpreter.state.objectsMayHaveChanged();
  return interpreter.unknown();
}

/** The first parameter of the method that is being walked. */
function ownObject(interpreter: Interpreter): Ref | undefined {
  const parameters = interpreter.activations.at(-1)?.function.node.args;
  const first = parameters && [...parameters.posonlyargs, ...parameters.args][0];
  return first && lookUp(interpreter, first.arg).binding.ref;
}

/** The class whose body holds the method that is being walked. */
function definingClass(interpreter: Interpreter, classRef: Ref): Ref | undefined {
  const node = interpreter.activations.at(-1)?.function.node;
  return lineage(interpreter, classRef)?.find((ref) => {
    const fact = interpreter.look(ref);
    return fact.kind === 'class' && [...(fact.namespace?.values() ?? [])].some(isIt);
  });

  function isIt(ref: Ref): boolean {
    const fact = interpreter.look(ref);
    return fact.kind === 'function' && fact.node === node;
  }
}

/** A method of the user's behind the class, bound to the object; undefined when it is not known which one it is. */
export function memberOfSuper(
  interpreter: Interpreter,
  { receiver, behind }: FactOf<'super'>,
  name: string,
): Ref | undefined {
  const classRef = classOf(interpreter.look(receiver));
  if (classRef === undefined || behind === undefined) return undefined;
  const { status, ref } = classMember(interpreter, classRef, name, behind);
  if (status === 'absent' && name === '__init__')
    return interpreter.put({
      kind: 'library',
      class: 'builtins.wrapper_descriptor',
      name: 'builtins.object.__init__',
    });
  const fact = ref === undefined ? undefined : interpreter.look(ref);
  if (fact?.kind !== 'function' || fact.node.nodeType === 'Lambda' || fact.node.decorator_list.length > 0)
    return undefined;
  return interpreter.put({ kind: 'method', receiver, name, function: ref!, callable: true });
}
