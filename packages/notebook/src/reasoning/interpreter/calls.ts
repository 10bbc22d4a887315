// A call: evaluates callee and arguments, tells the checks, then finds out what comes back: by walking the user's own
// function or class, by a library's transfer function, or not at all.
import type { NodeOf } from '@grus/python';
import { callLayer } from '../../libraries/keras/layers.js';
import { isEstimatorClass, makeEstimator } from '../../libraries/sklearn/estimators.js';
import { callModule } from '../../libraries/torch/layers.js';
import type { CallArguments, Operand } from '../events.js';
import type { Fact, Ref } from '../facts.js';
import { inquireStep } from '../inquiry/answers.js';
import { carryOut } from '../inquiry/carry-out.js';
import { planCall } from '../inquiry/plan-calls.js';
import { callStep } from '../inquiry/torch.js';
import type { CallSite, CallTransfer } from '../library.js';
import { classMember, classOf, instantiate } from './classes.js';
import { evaluateComprehension } from './comprehensions.js';
import { applyDefaultEffects, callbackMayRun, drawingMayRunCode } from './effects.js';
import { enterFunction } from './functions.js';
import { userCodeMayRun } from './implicit.js';
import type { Interpreter } from './interpreter.js';

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
  const step = callStep(interpreter, site, callee);
  interpreter.emit({ type: 'call', callee, ...site });
  if (step === undefined) {
    const planned = planCall(interpreter, site, callee);
    if (!planned) return perform(interpreter, site, callee);
    return carryOut(interpreter, node, planned, receiver, () => perform(interpreter, site, callee));
  }
  interpreter.mutedInquiry++;
  let result: Ref;
  try {
    result = perform(interpreter, site, callee);
  } finally {
    interpreter.mutedInquiry--;
  }
  return inquireStep(interpreter, node, step, result) ?? result;
}

/** What comes back, as far as the walk itself can tell. */
function perform(interpreter: Interpreter, site: CallSite, callee: Operand): Ref {
  const { node, receiver, target, args } = site;
  const { fact } = callee;
  for (const operand of args.positional) {
    drawingMayRunCode(interpreter, operand);
    methodMayRun(interpreter, target, operand);
  }
  if (fact.kind === 'function') return enterFunction(interpreter, node, callee.ref, args);
  if (fact.kind === 'method' && fact.function !== undefined && receiver)
    return enterFunction(interpreter, node, fact.function, {
      ...args,
      positional: [receiver, ...args.positional],
    });
  if (fact.kind === 'class' && fact.namespace) return instantiate(interpreter, node, callee.ref, fact, args);
  const isOwn = fact.kind === 'instance' || (fact.kind === 'torch-module' && !fact.hooked);
  if (isOwn && fact.of !== undefined) {
    const result = callInstance(interpreter, node, callee, fact.of, fact.kind === 'torch-module', args);
    if (result !== undefined) return result;
  }
  if (fact.kind === 'torch-module') userCodeMayRun(interpreter);
  if (fact.kind === 'torch-module' && (fact.of === undefined || fact.hooked))
    return callModule(interpreter, fact, args.positional[0]) ?? interpreter.unknown();
  if (fact.kind === 'keras-layer') {
    const output = callLayer(interpreter, fact, site);
    if (output !== undefined) return output;
  }
  if (target !== null && isEstimatorClass(target))
    return makeEstimator(site, interpreter, target, callee.fact.signature);
  if (target === 'builtins.type' && args.positional.length === 1) {
    const classRef = classOf(args.positional[0]!.fact);
    if (classRef !== undefined) return classRef;
  }
  const written = args.keywords.get('out');
  if (written) interpreter.state.mayMutate(written.ref);
  const transfer = transferOf(interpreter, site);
  const result = transfer?.(site, interpreter);
  if (result !== undefined) return result;
  applyDefaultEffects(interpreter, site, callee);
  leaveIfExit(interpreter, target);
  return interpreter.unknown();
}

/** Builtins that ask an object of the user's by a method of its class. */
const askedBy: Readonly<Record<string, string>> = {
  'builtins.len': '__len__',
  'builtins.str': '__str__',
  'builtins.repr': '__repr__',
  'builtins.bool': '__bool__',
  'builtins.iter': '__iter__',
  'builtins.next': '__next__',
  'builtins.abs': '__abs__',
  'builtins.hash': '__hash__',
};

function methodMayRun(interpreter: Interpreter, target: string | null, { fact }: Operand): void {
  const method = target !== null && Object.hasOwn(askedBy, target) ? askedBy[target]! : undefined;
  if (method === undefined || fact.kind !== 'instance' || fact.of === undefined) return;
  const { ref } = classMember(interpreter, fact.of, method);
  if (ref !== undefined) callbackMayRun(interpreter, ref);
}

function receiverNode(node: NodeOf<'Call'>) {
  return node.func.nodeType === 'Attribute' ? node.func.value : node.func;
}

function callInstance(
  interpreter: Interpreter,
  node: NodeOf<'Call'>,
  callee: Operand,
  classRef: Ref,
  isModule: boolean,
  args: CallArguments,
): Ref | undefined {
  const own = classMember(interpreter, classRef, '__call__');
  const found = own.status === 'present' || !isModule ? own : classMember(interpreter, classRef, 'forward');
  if (found.status !== 'present' || found.ref === undefined) return undefined;
  return enterFunction(interpreter, node, found.ref, { ...args, positional: [callee, ...args.positional] });
}

export function transferOf(interpreter: Interpreter, site: CallSite): CallTransfer | undefined {
  for (const library of interpreter.libraries) {
    if (site.target !== null && library.functions && Object.hasOwn(library.functions, site.target))
      return library.functions[site.target];
    if (site.receiver && site.method !== null) {
      const methods = library.methods?.[site.receiver.fact.kind];
      if (methods && Object.hasOwn(methods, site.method)) return methods[site.method];
    }
  }
  return undefined;
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
