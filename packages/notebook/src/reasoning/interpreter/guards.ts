// `try` bodies whose handlers catch exceptions of known classes: another exception still ends the cell, as long as nothing
// ran before it in the body that might have raised one that is caught.
import { type Expression, exceptionLineage, isBuiltinException, type Node, type NodeOf } from '@grus/python';
import type { Event } from '../events.js';
import type { Fact } from '../facts.js';
import type { Interpreter } from './interpreter.js';
import { lookUp } from './scopes.js';

interface Guard {
  readonly caught: ReadonlySet<string>;
  /** The first operation of the body that may have raised. */
  risk?: Node;
}

/** Objects whose attributes are found without running anybody's code. */
const plain = new Set<Fact['kind']>([
  'dataframe',
  'ndarray',
  'list',
  'tuple',
  'dict',
  'set',
  'scalar',
  'none',
]);

export class Guards {
  private readonly open: Guard[] = [];

  enter(caught: ReadonlySet<string>): void {
    this.open.push({ caught });
  }

  /** Leaves the innermost body; true when something in it may have raised. */
  leave(): boolean {
    return this.open.pop()?.risk !== undefined;
  }

  /** Whether something that ran before in a body around may have raised what is caught there. */
  isRiskyBefore(event: Event): boolean {
    return this.open.some(
      ({ risk }) => risk !== undefined && !(event.type === 'refusal' && event.node === risk),
    );
  }

  /** Remembers the first operation that may raise. */
  note(event: Event): void {
    if (event.type === 'loadName' || (event.type === 'loadAttribute' && plain.has(event.receiver.fact.kind)))
      return;
    for (const guard of this.open) guard.risk ??= event.node;
  }

  /** Whether a handler around may catch the exception; of one that is not known, it may. */
  mayCatch(exception: string): boolean {
    if (this.open.length === 0) return false;
    if (!isBuiltinException(exception)) return true;
    const classes = exceptionLineage(exception);
    return this.open.some(({ caught }) => classes.some((name) => caught.has(name)));
  }
}

/** The classes that the handlers catch; undefined when one of them is not known. */
export function caughtBy(
  interpreter: Interpreter,
  handlers: readonly NodeOf<'ExceptHandler'>[],
): ReadonlySet<string> | undefined {
  const caught = new Set<string>();
  for (const { type } of handlers) {
    const types = type?.nodeType === 'Tuple' ? (type.elts as readonly Expression[]) : [type];
    for (const each of types) {
      const name = each?.nodeType === 'Name' ? builtinName(interpreter, each.id) : undefined;
      if (name === undefined) return undefined;
      caught.add(name);
    }
  }
  return caught;
}

function builtinName(interpreter: Interpreter, id: string): string | undefined {
  const { binding } = lookUp(interpreter, id);
  if (binding.status !== 'bound' || binding.ref === undefined) return undefined;
  const fact = interpreter.look(binding.ref);
  const name = fact.kind === 'library' || fact.kind === 'class' ? fact.name : undefined;
  const own = name?.startsWith('builtins.') ? name.slice('builtins.'.length) : undefined;
  return own !== undefined && isBuiltinException(own) ? own : undefined;
}
