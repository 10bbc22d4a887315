// The real signature of a callable: of the user's functions off their source, of live ones off their code objects.
import type { Parameter } from '@grus/kernel/snapshot';
import type { Fact, Ref } from '../../reasoning/facts.js';
import { parametersOfNode } from '../../reasoning/parameters.js';

export interface Signature {
  readonly name: string;
  readonly parameters: readonly Parameter[];
  /** Python counts the object itself among the arguments. */
  readonly bound?: true;
  /** A method without any parameter, not even for its object: it cannot be called on one. */
  readonly lacksSelf?: true;
}

export function signatureOf(fact: Fact, look: (ref: Ref) => Fact): Signature | undefined {
  if (fact.kind === 'function') return { name: fact.name, parameters: parametersOfNode(fact.node) };
  if (fact.kind === 'method' && fact.function !== undefined) {
    const inner = look(fact.function);
    if (inner.kind !== 'function') return undefined;
    const receiver = look(fact.receiver);
    const owner = receiver.class?.split('.').at(-1);
    const parameters = parametersOfNode(inner.node);
    return {
      name: owner ? `${owner}.${inner.name}` : inner.name,
      parameters: parameters.slice(1),
      bound: true,
      ...(parameters.length === 0 && { lacksSelf: true }),
    };
  }
  if (fact.kind === 'class' && fact.namespace) return constructorOf(fact, look);
  if (!fact.signature) return undefined;
  // Which class defines the method is not known.
  if (fact.kind === 'method') return { name: `…${fact.name}`, parameters: fact.signature, bound: true };
  if (fact.kind === 'library' || fact.kind === 'class')
    return { name: calledName(fact.name), parameters: fact.signature };
  return undefined;
}

/** As Python names it: of a class, a method of it is called. */
function calledName(name: string): string {
  const last = name.split('.').at(-1)!;
  return /^[A-Z]/.test(last) ? `${last}…` : last;
}

/** Only a class that defines `__init__` itself and nothing that could come before it. */
function constructorOf(
  fact: Extract<Fact, { kind: 'class' }>,
  look: (ref: Ref) => Fact,
): Signature | undefined {
  const init = fact.namespace?.get('__init__');
  if (init === undefined || fact.dynamic || fact.namespace!.has('__new__')) return undefined;
  const inner = look(init);
  if (inner.kind !== 'function' || (inner.node.nodeType !== 'Lambda' && inner.node.decorator_list.length > 0))
    return undefined;
  return {
    name: `${fact.name.split('.').at(-1)}.__init__`,
    parameters: parametersOfNode(inner.node).slice(1),
    bound: true,
  };
}
