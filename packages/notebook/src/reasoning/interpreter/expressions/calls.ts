// A call: evaluates callee and arguments, tells the checks, then finds out what comes back: by walking the user's own
// function or class, by a library's transfer function, or not at all.
import type { NodeOf } from '@grus/python';
import type { CallArguments, Operand } from '../../events.js';
import type { Fact, Ref } from '../../facts.js';
import { carryOut } from '../../inquiry/carry-out.js';
import { planCall } from '../../inquiry/plan-calls.js';
import { mayOverride } from '../../kinds.js';
import type { CallSite } from '../../library.js';
import { putNone } from '../../plain-objects.js';
import { firstAnswer, firstHooked } from '../../registry.js';
import type { Interpreter } from '../interpreter.js';
import { classMember, classOf, instantiate } from '../user-code/classes.js';
import { applyDefaultEffects, callbackMayRun, drawingMayRunCode } from '../user-code/effects.js';
import { enterFunction } from '../user-code/functions.js';
import { librariesMayChange } from '../user-code/patched.js';
import { callSuper } from '../user-code/super.js';
import { storeAttribute } from './attribute-stores.js';
import { evaluateComprehension } from './comprehensions.js';

export function evaluateCall(interpreter: Interpreter, node: NodeOf<'Call'>): Ref {
  interpreter.calledNodes.add(node.func);
  const callee = interpreter.evaluateOperand(node.func);
  const args = evaluateArguments(interpreter, node, takesAll(interpreter, callee.fact));
  return call(interpreter, node, interpreter.operand(callee.node, callee.ref), args);
}

/** Calls a known callee with evaluated arguments. */
export function call(
  interpreter: Interpreter,
  node: NodeOf<'Call'>,
  callee: Operand,
  args: CallArguments,
): Ref {
  const receiver =
    callee.fact.kind === 'method' ? interpreter.operand(receiverNode(node), callee.fact.receiver) : null;
  const method = callee.fact.kind === 'method' ? callee.fact.name : null;
  const target =
    callee.fact.kind === 'library' || (callee.fact.kind === 'class' && !callee.fact.namespace)
      ? callee.fact.name
      : null;
  const site: CallSite = { node, target, receiver, method, args };
  interpreter.emit({ type: 'call', callee, ...site });
  const run = () => perform(interpreter, site, callee);
  const own = firstHooked((hooks) => hooks.aroundCall?.(site, callee, interpreter, run));
  if (own !== undefined) return own;
  const planned = planCall(interpreter, site, callee);
  return planned ? carryOut(interpreter, node, planned, receiver, run) : run();
}

/** What comes back, as far as the walk itself can tell. */
function perform(interpreter: Interpreter, site: CallSite, callee: Operand): Ref {
  const { node, receiver, target, args } = site;
  const { fact } = callee;
  for (const operand of args.positional) drawingMayRunCode(interpreter, operand);
  if (receiver) drawingMayRunCode(interpreter, receiver);
  if (fact.kind === 'function') return enterFunction(interpreter, node, callee.ref, args);
  if (fact.kind === 'method' && fact.function !== undefined && receiver)
    return enterFunction(interpreter, node, fact.function, {
      ...args,
      positional: [receiver, ...args.positional],
    });
  if (fact.kind === 'class' && fact.namespace) return instantiate(interpreter, node, callee.ref, fact, args);
  if (fact.kind === 'instance') {
    const result = enterMethod(interpreter, node, callee, ['__call__'], args);
    if (result !== undefined) return result;
  }
  if (target !== null) librariesMayChange(interpreter, target);
  if (target === 'builtins.setattr') {
    const [holder, name, value] = args.positional;
    const text = name && interpreter.literal(name.ref);
    if (holder && value && typeof text === 'string') {
      storeAttribute(interpreter, node, holder, text, value);
      return putNone(interpreter);
    }
  }
  if (target === 'builtins.super') return callSuper(interpreter, args);
  if (target === 'builtins.type' && args.positional.length === 1) {
    const classRef = classOf(args.positional[0]!.fact);
    if (classRef !== undefined) return classRef;
  }
  if (target !== null)
    for (const operand of [...args.positional, ...args.keywords.values()])
      callbackMayRun(interpreter, operand.ref);
  const written = args.keywords.get('out');
  if (written) interpreter.state.mayMutate(written.ref);
  const result = transferred(interpreter, site, callee);
  if (result !== undefined) return result;
  applyDefaultEffects(interpreter, site, callee);
  leaveIfExit(interpreter, target);
  return interpreter.unknown();
}

/** What the libraries know of the call: of the object that is called, of the function or of the method. */
function transferred(interpreter: Interpreter, site: CallSite, callee: Operand): Ref | undefined {
  const { target, receiver, method } = site;
  return firstAnswer((library) => {
    const called =
      library.call?.[callee.fact.kind]?.(callee, site, interpreter) ??
      library.anyFunction?.(site, callee, interpreter);
    if (called !== undefined) return called;
    if (target !== null && library.functions && Object.hasOwn(library.functions, target))
      return library.functions[target]!(site, interpreter);
    const methods =
      receiver && method !== null && !mayOverride(receiver.fact)
        ? library.methods?.[receiver.fact.kind]
        : undefined;
    return methods && Object.hasOwn(methods, method!) ? methods[method!]!(site, interpreter) : undefined;
  });
}

function receiverNode(node: NodeOf<'Call'>) {
  return node.func.nodeType === 'Attribute' ? node.func.value : node.func;
}

/** Walks the first of these methods that the user's class of the object has. */
export function enterMethod(
  interpreter: Interpreter,
  node: NodeOf<'Call'>,
  object: Operand,
  names: readonly string[],
  args: CallArguments,
): Ref | undefined {
  const classRef = classOf(object.fact);
  if (classRef === undefined) return undefined;
  for (const name of names) {
    const found = classMember(interpreter, classRef, name);
    if (found.status !== 'present') continue;
    return found.ref === undefined
      ? undefined
      : enterFunction(interpreter, node, found.ref, { ...args, positional: [object, ...args.positional] });
  }
  return undefined;
}

/** Walks the callee with each argument in turn, for what fails there; nothing else of the calls is kept. */
export function callWithEach(
  interpreter: Interpreter,
  node: NodeOf<'Call'>,
  callee: Operand,
  args: readonly Ref[],
): void {
  const { kind } = callee.fact;
  if (kind !== 'function' && kind !== 'library') return;
  const any = interpreter.state;
  for (const ref of args) {
    if (interpreter.budgetLeft < 0.5) break;
    interpreter.state = any.fork();
    call(interpreter, node, interpreter.operand(callee.node, callee.ref), {
      positional: [interpreter.operand(node, ref)],
      keywords: new Map(),
      complete: true,
    });
  }
  interpreter.state = any;
}

/** Functions that end the cell without an error. */
const enders = new Set(['sys.exit', 'builtins.exit', 'builtins.quit', 'os._exit', 'os.abort']);

function leaveIfExit(interpreter: Interpreter, target: string | null): void {
  if (target === null || !enders.has(target)) return;
  interpreter.exits.leave++;
  interpreter.mayEscape();
  interpreter.state.alive = false;
}

/** Callables that go through the whole of an iterable before they do anything else with it. */
const consumers = new Set(
  'sum list tuple set frozenset sorted max min dict'.split(' ').map((name) => `builtins.${name}`),
);

function takesAll(interpreter: Interpreter, callee: Fact): boolean {
  if (callee.kind === 'library') return consumers.has(callee.name);
  if (callee.kind !== 'method' || callee.name !== 'join') return false;
  const receiver = interpreter.look(callee.receiver);
  return receiver.kind === 'scalar' && receiver.type === 'str';
}

function evaluateArguments(interpreter: Interpreter, node: NodeOf<'Call'>, consumes: boolean): CallArguments {
  const positional: Operand[] = [];
  const keywords = new Map<string, Operand>();
  let complete = true;
  let duplicate: string | undefined;
  for (const argument of node.args) {
    if (argument.nodeType !== 'Starred') {
      const isConsumed = consumes && argument.nodeType === 'GeneratorExp' && positional.length === 0;
      const operand = isConsumed
        ? interpreter.operand(argument, evaluateComprehension(interpreter, argument, true))
        : interpreter.evaluateOperand(argument);
      if (complete) positional.push(operand);
      continue;
    }
    const operand = interpreter.evaluateOperand(argument.value);
    interpreter.emit({ type: 'iterate', node: argument, iterable: operand });
    const { fact } = operand;
    const items = fact.kind === 'list' || fact.kind === 'tuple' ? fact.items : undefined;
    if (items && complete) positional.push(...items.map((ref) => interpreter.operand(argument, ref)));
    else {
      complete = false;
      interpreter.state.mayMutate(operand.ref);
    }
  }
  for (const keyword of node.keywords) {
    const operand = interpreter.evaluateOperand(keyword.value);
    if (keyword.arg) {
      if (keywords.has(keyword.arg)) duplicate ??= keyword.arg;
      keywords.set(keyword.arg, operand);
      continue;
    }
    const { fact } = operand;
    if (fact.kind === 'dict' && fact.complete && fact.entries) {
      for (const { key, value } of fact.entries.values()) {
        if (typeof key !== 'string') continue;
        if (keywords.has(key)) duplicate ??= key;
        keywords.set(key, interpreter.operand(keyword.value, value));
      }
    } else complete = false;
  }
  // Evaluating a later argument may have changed what is known of an earlier one.
  const fresh = (operand: Operand) => interpreter.operand(operand.node, operand.ref);
  return {
    positional: positional.map(fresh),
    keywords: new Map([...keywords].map(([name, operand]) => [name, fresh(operand)])),
    complete,
    ...(duplicate !== undefined && { duplicate }),
  };
}
