// Code whose exceptions may be caught: `try` with handlers, and context managers that may swallow.
import {
  childrenOf,
  type Expression,
  isFunction,
  type Node,
  type NodeOf,
  type Statement,
} from '@grus/python';
import type { Fact } from '../facts.js';
import { topPackage } from '../names.js';
import { State } from '../state.js';
import { caughtBy } from './guards.js';
import { userCodeMayRun } from './implicit.js';
import type { Interpreter } from './interpreter.js';
import { bindName, unbindName } from './scopes.js';
import { execute } from './statements.js';
import { assign } from './targets.js';

type Body = readonly (Statement | { readonly nodeType: 'Comment' })[];

export function executeTry(interpreter: Interpreter, node: NodeOf<'Try' | 'TryStar'>): void {
  const before = interpreter.state.fork();
  const exits = { ...interpreter.exits };
  const catching = node.handlers.filter((handler) => !reraises(handler));
  const caught = node.nodeType === 'Try' ? caughtBy(interpreter, catching) : undefined;
  if (leavesFrom(node.finalbody)) interpreter.state.certain = false;
  if (catching.length > 0) {
    if (caught) interpreter.guards.enter(caught);
    else interpreter.state.certain = false;
  }
  let anywhere = interpreter.state.fork();
  const escapes: State[] = [];
  interpreter.escapes.push(escapes);
  for (const statement of node.body as Body) {
    if (!interpreter.state.alive) break;
    execute(interpreter, [statement]);
    anywhere = State.join(anywhere, interpreter.state);
  }
  interpreter.escapes.pop();
  if (catching.length > 0 && caught && interpreter.guards.leave()) interpreter.state.certain = false;
  for (const state of escapes) anywhere = State.join(anywhere, state);
  execute(interpreter, node.orelse as Body);
  let after = interpreter.state;
  for (const handler of node.handlers) {
    interpreter.state = anywhere.fork();
    interpreter.state.certain = false;
    if (handler.type) interpreter.evaluate(handler.type);
    if (handler.name) bindName(interpreter, handler.name, interpreter.unknown());
    execute(interpreter, handler.body as Body);
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
  if (node.finalbody.length > 0)
    executeFinally(interpreter, node.finalbody as Body, anywhere, before.certain);
}

/** Runs on every way out, also when the body left early. */
function executeFinally(interpreter: Interpreter, body: Body, anywhere: State, certain: boolean): void {
  const alive = interpreter.state.alive;
  if (!alive) {
    interpreter.state = anywhere.fork();
    interpreter.state.certain = certain;
  }
  execute(interpreter, body);
  if (!alive) interpreter.state.alive = false;
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

/** Packages whose context managers let exceptions through. */
const lettingThrough = new Set([
  'builtins',
  'torch',
  'numpy',
  'pandas',
  'matplotlib',
  'tensorflow',
  'keras',
  'warnings',
  'tqdm',
  'zipfile',
  'tarfile',
  'sqlite3',
  'PIL',
  'tempfile',
  'threading',
  'multiprocessing',
  'concurrent',
  'sklearn',
  'seaborn',
  'joblib',
  'io',
  '_io',
  'gzip',
  'h5py',
  'requests',
  'plt',
  'mlflow',
  'time',
]);

/** Managers that exist to swallow, whatever their package: `numpy.testing.assert_raises`. */
const expecting = /raises|suppress|expect|ignore|assert/i;

export function executeWith(interpreter: Interpreter, node: NodeOf<'With' | 'AsyncWith'>): void {
  const before = interpreter.state.certain;
  const exits = { ...interpreter.exits };
  const start = interpreter.state.fork();
  let swallows = false;
  const { gradientsOff } = interpreter;
  let { mutedInquiry } = interpreter;
  for (const item of node.items) {
    const muted = interpreter.mutedInquiry;
    const manager = interpreter.evaluateOperand(item.context_expr);
    interpreter.emit({ type: 'enterContext', node: item.context_expr, manager });
    if (maySwallow(interpreter, item.context_expr, manager.fact)) swallows = true;
    const gradients = gradientsUnder(interpreter, item.context_expr, manager.fact);
    if (gradients !== undefined) interpreter.mutedInquiry = muted;
    else mutedInquiry += interpreter.mutedInquiry - muted;
    if (gradients === 'off') interpreter.gradientsOff++;
    if (gradients === 'on') interpreter.gradientsOff = 0;
    if (gradients === 'unknown') interpreter.mutedInquiry++;
    if (item.optional_vars) {
      const entered = /^io\.(TextIOWrapper|IOBase)$/.test(manager.fact.class ?? '')
        ? manager.ref
        : interpreter.unknown();
      assign(interpreter, item.optional_vars, interpreter.operand(item.context_expr, entered));
    }
  }
  if (swallows) {
    interpreter.state.certain = false;
    userCodeMayRun(interpreter);
  }
  const inBody = interpreter.mutedInquiry;
  try {
    execute(interpreter, node.body as Body);
  } finally {
    interpreter.gradientsOff = gradientsOff;
    interpreter.mutedInquiry += mutedInquiry - inBody;
  }
  if (!swallows) return;
  interpreter.state = State.join(start, interpreter.state);
  userCodeMayRun(interpreter);
  interpreter.state.certain =
    before &&
    exits.leave === interpreter.exits.leave &&
    exits.return === interpreter.exits.return &&
    exits.break === interpreter.exits.break;
}

/** Managers under which a library works in another way. */
const settings = /^(sklearn\.(\w+\.)*config_context|torch\.(\w+\.)*(autocast|device))$/;

/** What `with torch.no_grad():` and its like make of gradients; undefined where they leave them alone. */
function gradientsUnder(
  interpreter: Interpreter,
  node: Expression,
  manager: Fact,
): 'on' | 'off' | 'unknown' | undefined {
  if (!interpreter.inquiry) return undefined;
  const isCall = node.nodeType === 'Call';
  const name = (isCall ? calleeName(interpreter, node) : undefined) ?? manager.class ?? '';
  if (settings.test(name)) return 'unknown';
  const [, mode] =
    /^torch\.(?:\w+\.)*(no_grad|inference_mode|enable_grad|set_grad_enabled)$/.exec(name) ?? [];
  if (mode === undefined) return undefined;
  const given = isCall ? (node.args[0] ?? node.keywords[0]?.value) : undefined;
  if (mode === 'no_grad' || (mode === 'inference_mode' && isCall && given === undefined)) return 'off';
  if (mode === 'enable_grad') return 'on';
  const value = given?.nodeType === 'Constant' ? given.value : undefined;
  if (typeof value !== 'boolean') return 'unknown';
  return value === (mode === 'set_grad_enabled') ? 'on' : 'off';
}

function maySwallow(
  interpreter: Interpreter,
  node: NodeOf<'Call'> | { nodeType: string },
  fact: Fact,
): boolean {
  const name =
    fact.class ?? (node.nodeType === 'Call' ? calleeName(interpreter, node as NodeOf<'Call'>) : undefined);
  return name === undefined || !lettingThrough.has(topPackage(name)) || expecting.test(name);
}

function calleeName(interpreter: Interpreter, node: NodeOf<'Call'>): string | undefined {
  let found: string | undefined;
  interpreter.silently(() => {
    const fact = interpreter.look(interpreter.evaluate(node.func));
    if (fact.kind === 'library') found = fact.name;
    else if (fact.kind === 'class' && !fact.namespace) found = fact.name;
    else if (fact.kind === 'method') found = interpreter.look(fact.receiver).class;
  });
  return found;
}
