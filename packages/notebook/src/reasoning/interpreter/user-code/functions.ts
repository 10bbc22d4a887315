// The user's functions: defining them, binding arguments to parameters, and walking the body of a call.
import { dottedName, type Expression, type FunctionNode, type NodeOf } from '@grus/python';
import type { CallArguments } from '../../events.js';
import type { DictEntry, Fact, Ref, UserFunction } from '../../facts.js';
import { keyOf } from '../../literals.js';
import { putNone } from '../../plain-objects.js';
import { someManners } from '../../registry.js';
import { State } from '../../state.js';
import type { Interpreter } from '../interpreter.js';
import { capture, declareScope, rebinds, scopeNames } from '../scopes.js';
import { callbackMayRun, mayChangeIt } from './effects.js';
import { decoratorsMayRegister } from './patched.js';

/** Default values are evaluated once, where the function is defined. */
export function defaultsOf(interpreter: Interpreter, args: NodeOf<'Arguments'>): ReadonlyMap<string, Ref> {
  const defaults = new Map<string, Ref>();
  const positional = [...args.posonlyargs, ...args.args];
  args.defaults.forEach((node, index) => {
    const parameter = positional[positional.length - args.defaults.length + index]!;
    defaults.set(parameter.arg, interpreter.evaluate(node));
  });
  args.kw_defaults.forEach((node, index) => {
    if (node) defaults.set(args.kwonlyargs[index]!.arg, interpreter.evaluate(node));
  });
  return defaults;
}

export function defineFunction(interpreter: Interpreter, node: FunctionNode): Ref {
  const decorators = node.decorator_list.map((decorator) => interpreter.evaluate(decorator));
  const defaults = defaultsOf(interpreter, node.args);
  const fact: UserFunction = {
    kind: 'function',
    class: 'builtins.function',
    name: node.name,
    node,
    scope: interpreter.scope,
    defaults,
    callable: true,
    ...(interpreter.home !== undefined && { home: interpreter.home }),
  };
  const ref = interpreter.put(fact);
  capture(interpreter);
  if (decorators.length === 0 || inClassBody(interpreter)) return ref;
  if (decorators.every((decorator) => isTransparent(interpreter.look(decorator)))) return ref;
  // A decorator is called with the function: registries keep it.
  decoratorsMayRegister(interpreter, node.decorator_list);
  for (const decorator of decorators) callbackMayRun(interpreter, decorator);
  callbackMayRun(interpreter, ref);
  return interpreter.unknown();
}

function inClassBody(interpreter: Interpreter): boolean {
  return interpreter.activations.at(-1)?.scope !== interpreter.scope && interpreter.scope !== 0;
}

/** Decorators that call the function as it is. */
function isTransparent(fact: Fact): boolean {
  return fact.kind === 'library' && someManners(({ transparent }) => transparent?.includes(fact.name));
}

/** Why a call cannot be walked into, or null when it can. */
function obstacle(interpreter: Interpreter, fact: UserFunction): string | null {
  if (interpreter.depthLeft <= 0) return 'too deep';
  if (interpreter.activations.some((activation) => activation.function.node === fact.node))
    return 'recursion';
  if (fact.node.nodeType === 'AsyncFunctionDef') return 'asynchronous';
  if (scopeNames(fact.node).generator) return 'generator';
  return fact.node.nodeType === 'Lambda' || fact.node.decorator_list.every(isNamedTransparent)
    ? null
    : 'decorated';
}

/** As `isTransparent`, by the name alone that a method's decorator has in the source. */
function isNamedTransparent(decorator: Expression): boolean {
  const name = dottedName(decorator.nodeType === 'Call' ? decorator.func : decorator);
  return (
    name !== null &&
    someManners(({ transparent }) => transparent?.some((full) => `.${full}`.endsWith(`.${name}`)))
  );
}

/** Walks the body of the function with its arguments' facts and answers the returned object. */
export function enterFunction(
  interpreter: Interpreter,
  call: NodeOf<'Call'>,
  ref: Ref,
  args: CallArguments,
): Ref {
  const fact = interpreter.look(ref);
  if (fact.kind !== 'function') {
    interpreter.state.objectsMayHaveChanged();
    for (const operand of [...args.positional, ...args.keywords.values()])
      interpreter.state.mayMutate(operand.ref);
    return interpreter.unknown();
  }
  const bound = obstacle(interpreter, fact) === null ? bindArguments(interpreter, fact, args) : null;
  if (!bound) {
    callbackMayRun(interpreter, ref);
    for (const operand of [...args.positional, ...args.keywords.values()])
      interpreter.state.mayMutate(operand.ref);
    return interpreter.unknown();
  }
  const scope = interpreter.newScope();
  const outer = interpreter.scope;
  const certain = interpreter.state.certain;
  const exits = { ...interpreter.exits };
  interpreter.state.enterScope(scope, fact.scope);
  declareScope(interpreter, scope, scopeNames(fact.node));
  for (const [name, value] of fact.closure ?? [])
    interpreter.state.bind(
      scope,
      name,
      interpreter.state.rebound.has(name)
        ? { status: 'unknown', ref: interpreter.unknown() }
        : { status: 'bound', ref: value },
    );
  if (fact.closure) for (const name of rebinds(fact.node)) interpreter.state.rebound.add(name);
  for (const [name, value] of bound) interpreter.state.bind(scope, name, { status: 'bound', ref: value });
  const activation = {
    call: interpreter.surface(call),
    function: fact,
    returns: [] as { value: Ref; state: State }[],
    scope,
  };
  interpreter.activations.push(activation);
  interpreter.scope = scope;
  const loops = interpreter.loops.splice(0);
  let result: Ref | undefined;
  try {
    if (fact.node.nodeType === 'Lambda') result = interpreter.evaluate(fact.node.body);
    else {
      interpreter.execute(fact.node.body);
      result = finish(interpreter, activation.returns);
    }
  } finally {
    interpreter.loops.push(...loops);
    interpreter.scope = outer;
    interpreter.activations.pop();
    // Returning from the function does not leave the loops and branches around the call.
    interpreter.exits.return = exits.return;
  }
  if (!interpreter.captured.has(scope)) interpreter.state.leaveScope(scope);
  if (interpreter.state.alive) interpreter.state.certain = certain && interpreter.exits.leave === exits.leave;
  return result ?? interpreter.unknown();
}

/** Joins the ends of the body: falling off it returns None. */
function finish(interpreter: Interpreter, returns: readonly { value: Ref; state: State }[]): Ref {
  let state = interpreter.state;
  let value: Ref | undefined = state.alive ? putNone(interpreter) : undefined;
  for (const end of returns) {
    if (value === undefined) {
      state = end.state;
      state.alive = true;
      value = end.value;
      continue;
    }
    end.state.alive = true;
    const joined = State.join(state, end.state);
    value = joined.either(value, end.value);
    state = joined;
  }
  interpreter.state = state;
  return value ?? interpreter.unknown();
}

/** Parameter values by name; null when the call does not fit (a check says so) or cannot be matched. */
function bindArguments(
  interpreter: Interpreter,
  fact: UserFunction,
  args: CallArguments,
): Map<string, Ref> | null {
  const { args: parameters } = fact.node;
  const bound = new Map<string, Ref>();
  const positional = [...parameters.posonlyargs, ...parameters.args];
  if (args.positional.length > positional.length && !parameters.vararg) return null;
  args.positional.slice(0, positional.length).forEach((operand, index) => {
    bound.set(positional[index]!.arg, operand.ref);
  });
  if (parameters.vararg) {
    const rest = args.positional.slice(positional.length).map((operand) => operand.ref);
    bound.set(
      parameters.vararg.arg,
      interpreter.put(
        args.complete
          ? { kind: 'tuple', class: 'builtins.tuple', items: rest, length: rest.length }
          : { kind: 'tuple', class: 'builtins.tuple' },
      ),
    );
  }
  const names = new Set([...parameters.args, ...parameters.kwonlyargs].map((parameter) => parameter.arg));
  const rest = new Map<string, DictEntry>();
  for (const [name, operand] of args.keywords) {
    if (names.has(name) && !bound.has(name)) bound.set(name, operand.ref);
    else if (!parameters.kwarg || bound.has(name)) return null;
    else rest.set(keyOf(name), { key: name, value: operand.ref });
  }
  for (const parameter of [...positional, ...parameters.kwonlyargs]) {
    if (bound.has(parameter.arg)) continue;
    const fallback = fact.defaults.get(parameter.arg);
    if (!args.complete) bound.set(parameter.arg, interpreter.unknown());
    else if (fallback === undefined) return null;
    else {
      // The default of a live function may be an object that other names lead to.
      const isShared = fact.home !== undefined && interpreter.look(fallback).kind === 'unknown';
      if (isShared && mayChangeIt(fact, parameter.arg)) interpreter.state.objectsMayHaveChanged();
      bound.set(parameter.arg, fallback);
    }
  }
  if (parameters.kwarg)
    bound.set(
      parameters.kwarg.arg,
      interpreter.put({ kind: 'dict', class: 'builtins.dict', entries: rest, complete: args.complete }),
    );
  return bound;
}
