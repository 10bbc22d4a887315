// Statements in order: bindings, branches, handlers and early exits.
import type { Literal } from '@grus/kernel/snapshot';
import { type Expression, isBuiltinException, type NodeOf, type Statement } from '@grus/python';
import { putNone } from '../../plain-objects.js';
import { State } from '../../state.js';
import { truthOf } from '../expressions/truth.js';
import type { Interpreter } from '../interpreter.js';
import { bindName } from '../scopes.js';
import { defineClass } from '../user-code/classes.js';
import { defineFunction } from '../user-code/functions.js';
import { userCodeMayRun } from '../user-code/implicit.js';
import { executeTry } from './handlers.js';
import { importFrom, importModules } from './imports.js';
import { executeFor, executeWhile } from './loops.js';
import { executeWith } from './managers.js';
import { assign, augment, remove } from './targets.js';

type AnyStatement = Statement | { readonly nodeType: 'Comment' };

export function execute(interpreter: Interpreter, body: readonly AnyStatement[]): void {
  for (const statement of body) {
    if (!interpreter.state.alive) return;
    if (statement.nodeType === 'Comment') continue;
    executeStatement(interpreter, statement as Statement);
  }
}

function executeStatement(interpreter: Interpreter, node: Statement): void {
  interpreter.step();
  interpreter.enterStatement(node);
  switch (node.nodeType) {
    case 'Expr':
      interpreter.inquiry?.keptNowhere(node.value);
      interpreter.evaluate(node.value);
      return;
    case 'Assign': {
      const value = interpreter.evaluateOperand(node.value);
      for (const target of node.targets) assign(interpreter, target, value);
      return;
    }
    case 'AnnAssign':
      if (node.value) assign(interpreter, node.target, interpreter.evaluateOperand(node.value));
      return;
    case 'AugAssign':
      augment(interpreter, node);
      return;
    case 'Delete':
      for (const target of node.targets) remove(interpreter, target);
      return;
    case 'If':
      condition(
        interpreter,
        node.test,
        () => execute(interpreter, node.body),
        () => execute(interpreter, node.orelse),
      );
      return;
    case 'For':
    case 'AsyncFor':
      executeFor(interpreter, node);
      return;
    case 'While':
      executeWhile(interpreter, node);
      return;
    case 'With':
    case 'AsyncWith':
      executeWith(interpreter, node);
      return;
    case 'Try':
    case 'TryStar':
      executeTry(interpreter, node);
      return;
    case 'FunctionDef':
    case 'AsyncFunctionDef':
      bindName(interpreter, node.name, defineFunction(interpreter, node));
      if (node.decorator_list.length > 0) userCodeMayRun(interpreter);
      return;
    case 'ClassDef':
      bindName(interpreter, node.name, defineClass(interpreter, node));
      return;
    case 'Import':
      importModules(interpreter, node);
      return;
    case 'ImportFrom':
      importFrom(interpreter, node);
      return;
    case 'Return':
      executeReturn(interpreter, node);
      return;
    case 'Raise':
      executeRaise(interpreter, node);
      return;
    case 'Assert':
      executeAssert(interpreter, node);
      return;
    case 'Break':
    case 'Continue': {
      const kind = node.nodeType === 'Break' ? 'break' : 'continue';
      interpreter.exits[kind]++;
      interpreter.loops.at(-1)?.[kind === 'break' ? 'breaks' : 'continues'].push(interpreter.state.fork());
      interpreter.state.alive = false;
      return;
    }
    case 'Match':
      executeMatch(interpreter, node);
      return;
    default:
      return;
  }
}

/** Evaluates a test and walks the branch that is taken, or both. */
export function condition(
  interpreter: Interpreter,
  test: Expression,
  whenTrue: () => void,
  whenFalse: () => void,
): void {
  const operand = interpreter.evaluateOperand(test);
  interpreter.emit({ type: 'truth', node: test, operand });
  interpreter.branch(truthOf(interpreter, operand.fact), whenTrue, whenFalse);
}

function executeReturn(interpreter: Interpreter, node: NodeOf<'Return'>): void {
  const value = node.value ? interpreter.evaluate(node.value) : putNone(interpreter);
  interpreter.activations.at(-1)?.returns.push({ value, state: interpreter.state.fork() });
  interpreter.exits.return++;
  interpreter.state.alive = false;
}

const quietEnds = new Set(['SystemExit', 'KeyboardInterrupt', 'GeneratorExit', 'StopIteration']);

function executeRaise(interpreter: Interpreter, node: NodeOf<'Raise'>): void {
  let exception: string | null = null;
  if (node.exc) {
    const fact = interpreter.look(interpreter.evaluate(node.exc));
    const named = node.exc.nodeType === 'Call' ? node.exc.func : node.exc;
    if (fact.class?.startsWith('builtins.') && node.exc.nodeType === 'Call') exception = fact.class.slice(9);
    else if (named.nodeType === 'Name') exception = named.id;
  }
  // A class of the user's may say what it likes.
  const isPlain = exception !== null && isBuiltinException(exception);
  const message = node.exc && isPlain ? messageOf(interpreter, node.exc) : undefined;
  interpreter.emit({ type: 'raise', node, exception, message });
  // Another exception would be a crash all the same; only a quiet end makes later crashes uncertain.
  if (exception === null || quietEnds.has(exception)) interpreter.exits.leave++;
  interpreter.mayEscape();
  interpreter.state.alive = false;
}

/** What an exception that is made here says, where it is told in one argument. */
function messageOf(interpreter: Interpreter, made: Expression): Literal | undefined {
  if (made.nodeType !== 'Call') return '';
  if (made.keywords.length > 0 || made.args.length > 1) return undefined;
  const [argument] = made.args;
  if (!argument) return '';
  let message: Literal | undefined;
  interpreter.silently(() => {
    message = interpreter.literal(interpreter.evaluate(argument));
  });
  return message;
}

function executeAssert(interpreter: Interpreter, node: NodeOf<'Assert'>): void {
  const operand = interpreter.evaluateOperand(node.test);
  interpreter.emit({ type: 'truth', node: node.test, operand });
  if (truthOf(interpreter, operand.fact) !== false) return;
  const message = node.msg ? interpreter.literal(interpreter.evaluate(node.msg)) : '';
  interpreter.emit({ type: 'raise', node, exception: 'AssertionError', message });
  interpreter.mayEscape();
  interpreter.state.alive = false;
}

/** Each case may or may not be taken; what they bind is not followed. */
function executeMatch(interpreter: Interpreter, node: NodeOf<'Match'>): void {
  interpreter.evaluate(node.subject);
  const before = interpreter.state;
  const exits = JSON.stringify(interpreter.exits);
  let after = before.fork();
  for (const { body, pattern } of node.cases) {
    const path = before.fork();
    path.certain = false;
    interpreter.state = path;
    bindPattern(interpreter, pattern);
    execute(interpreter, body);
    after = State.join(after, interpreter.state);
  }
  after.certain = before.certain && JSON.stringify(interpreter.exits) === exits;
  interpreter.state = after;
}

function bindPattern(interpreter: Interpreter, pattern: object): void {
  for (const [field, value] of Object.entries(pattern)) {
    if ((field === 'name' || field === 'rest') && typeof value === 'string')
      bindName(interpreter, value, interpreter.unknown());
    else if (Array.isArray(value)) for (const item of value) bindPattern(interpreter, item ?? {});
    else if (typeof value === 'object' && value !== null) bindPattern(interpreter, value);
  }
}
