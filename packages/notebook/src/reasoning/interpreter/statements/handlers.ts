// `try`: code whose exceptions may be caught.
import {
  childrenOf,
  type Expression,
  isBuiltinException,
  isFunction,
  type Node,
  type NodeOf,
} from '@grus/python';
import { State } from '../../state.js';
import type { Body, Interpreter } from '../interpreter.js';
import { bindName, lookUp, unbindName } from '../scopes.js';

export function executeTry(interpreter: Interpreter, node: NodeOf<'Try' | 'TryStar'>): void {
  const before = interpreter.state.fork();
  const exits = { ...interpreter.exits };
  const left = waysOut(interpreter);
  const catching = node.handlers.filter((handler) => !reraises(handler));
  const caught = node.nodeType === 'Try' ? caughtBy(interpreter, catching) : undefined;
  if (leavesFrom(node.finalbody)) interpreter.state.certain = false;
  if (catching.length > 0) {
    if (caught) interpreter.handlers.enter(caught);
    else interpreter.state.certain = false;
  }
  const anywhere = executeAnywhere(interpreter, node.body as Body);
  if (catching.length > 0 && caught && interpreter.handlers.leave()) interpreter.state.certain = false;
  interpreter.execute(node.orelse as Body);
  let after = interpreter.state;
  for (const handler of node.handlers) {
    interpreter.state = anywhere.fork();
    interpreter.state.certain = false;
    if (handler.type) interpreter.evaluate(handler.type);
    if (handler.name) bindName(interpreter, handler.name, interpreter.unknown());
    interpreter.execute(handler.body as Body);
    if (handler.name && interpreter.state.alive) unbindName(interpreter, handler.name);
    after = State.join(after, interpreter.state);
  }
  interpreter.state = after;
  if (after.alive)
    after.certain =
      before.certain &&
      exits.leave === interpreter.exits.leave &&
      exits.return === interpreter.exits.return &&
      exits.break === interpreter.exits.break &&
      exits.continue === interpreter.exits.continue;
  if (node.finalbody.length === 0) return;
  const ways = left.passThrough(node.finalbody as Body);
  const reached = ways.reduce(State.join, anywhere);
  executeFinally(interpreter, node.finalbody as Body, reached, before.certain);
}

/** Where `break`, `continue` and `return` lead from here on: `finally` runs before they arrive. Answers what it begins with. */
function waysOut(interpreter: Interpreter): { passThrough(body: Body): State[] } {
  const loop = interpreter.loops.at(-1);
  const lists = [loop?.breaks, loop?.continues].map((states = []) => ({ states, from: states.length }));
  const returns = interpreter.activations.at(-1)?.returns ?? [];
  const from = returns.length;
  return {
    passThrough(body) {
      const current = interpreter.state;
      const before: State[] = [];
      const arrive = (state: State): State => {
        before.push(state.fork());
        interpreter.state = state;
        interpreter.silently(() => interpreter.execute(body));
        return interpreter.state;
      };
      for (const { states, from } of lists)
        states.splice(from, states.length, ...states.slice(from).map(arrive));
      returns.splice(
        from,
        returns.length,
        ...returns.slice(from).map(({ value, state }) => ({ value, state: arrive(state) })),
      );
      interpreter.state = current;
      return before;
    },
  };
}

/** Walks the body, and answers the state in which an exception may have left it, at whatever place. */
export function executeAnywhere(interpreter: Interpreter, body: Body): State {
  let anywhere = interpreter.state.fork();
  const escapes: State[] = [];
  interpreter.escapes.push(escapes);
  for (const statement of body) {
    if (!interpreter.state.alive) break;
    interpreter.execute([statement]);
    anywhere = State.join(anywhere, interpreter.state);
  }
  interpreter.escapes.pop();
  for (const state of escapes) anywhere = State.join(anywhere, state);
  return anywhere;
}

/** Runs on every way out, also when the body left early. */
function executeFinally(interpreter: Interpreter, body: Body, anywhere: State, certain: boolean): void {
  const alive = interpreter.state.alive;
  if (!alive) {
    interpreter.state = anywhere.fork();
    interpreter.state.certain = certain;
  }
  interpreter.execute(body);
  if (alive) return;
  interpreter.mayEscape();
  interpreter.state.alive = false;
}

/** `return`, `break` or `continue` in `finally` drops the exception that is on its way. */
function leavesFrom(body: Iterable<Node>): boolean {
  for (const node of body) {
    if (node.nodeType === 'Return' || node.nodeType === 'Break' || node.nodeType === 'Continue') return true;
    if (!isFunction(node) && leavesFrom(childrenOf(node))) return true;
  }
  return false;
}

/** A handler that always raises the same exception again lets the crash through; another one would hide it. */
function reraises({ name, body }: NodeOf<'ExceptHandler'>): boolean {
  const last = body.at(-1);
  if (last?.nodeType !== 'Raise' || !body.slice(0, -1).every((node) => node.nodeType === 'Expr'))
    return false;
  return !last.exc || (last.exc.nodeType === 'Name' && last.exc.id === name);
}

/** The classes that the handlers catch; undefined when one of them is not known. */
function caughtBy(
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
