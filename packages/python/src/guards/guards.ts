// What makes it uncertain that an expression is evaluated, or that an exception it raises ends the cell: the constructs
// between it and the top of its block, and the early exits in front of it.
import { childrenOf, dottedName, type Expression, isComprehension, isFunction, type Node } from '../ast.js';

export type GuardKind =
  /** Inside the body of a `try` with handlers. */
  | 'try'
  /** Inside a `with`, whose manager may swallow exceptions. */
  | 'with'
  /** Inside an arm of `if`, a conditional expression or `match`. */
  | 'branch'
  /** Inside a loop body or comprehension that may run zero times. */
  | 'loop'
  /** Behind `and`, `or`, or a chained comparison. */
  | 'short-circuit'
  /** Inside a function, lambda, or generator body: evaluated when called. */
  | 'deferred'
  /** Behind a statement that may leave the block: return, raise, break, continue, `exit()`. */
  | 'exit'
  /** Inside a handler, `else` of `try`, or `else` of a loop. */
  | 'handler';

export interface Guard {
  readonly kind: GuardKind;
  readonly node: Node;
}

/** The guards between `root` and `target`, outermost first; null when `target` is not below `root`. */
export function guardsBetween(root: Node, target: Node): Guard[] | null {
  if (root === target) return [];
  for (const [child, guards] of guardedChildren(root)) {
    const inner = guardsBetween(child, target);
    if (inner) return [...guards, ...inner];
  }
  return null;
}

/** Each child with the guards that its parent puts on it. */
function* guardedChildren(node: Node): Generator<[Node, Guard[]]> {
  const guard = (kind: GuardKind): Guard[] => [{ kind, node }];
  if (isFunction(node) || node.nodeType === 'Lambda') {
    const body: readonly Node[] = node.nodeType === 'Lambda' ? [node.body] : node.body;
    for (const child of childrenOf(node)) if (!body.includes(child)) yield [child, []];
    yield* block(body, guard('deferred'));
    return;
  }
  if (isComprehension(node)) {
    yield* comprehensionChildren(node);
    return;
  }
  switch (node.nodeType) {
    case 'If':
      yield [node.test, []];
      yield* block(node.body, guard('branch'));
      yield* block(node.orelse, guard('branch'));
      return;
    case 'IfExp':
      yield [node.test, []];
      yield [node.body, guard('branch')];
      yield [node.orelse, guard('branch')];
      return;
    case 'While':
      yield [node.test, []];
      yield* block(node.body, guard('loop'));
      yield* block(node.orelse, guard('handler'));
      return;
    case 'For':
    case 'AsyncFor':
      yield [node.iter, []];
      yield [node.target, guard('loop')];
      yield* block(node.body, guard('loop'));
      yield* block(node.orelse, guard('handler'));
      return;
    case 'With':
    case 'AsyncWith':
      for (const item of node.items) yield [item, []];
      yield* block(node.body, guard('with'));
      return;
    case 'Try':
    case 'TryStar':
      yield* block(node.body, node.handlers.length > 0 ? guard('try') : []);
      for (const handler of node.handlers) yield [handler, guard('handler')];
      yield* block(node.orelse, guard('handler'));
      yield* block(node.finalbody, []);
      return;
    case 'Match':
      yield [node.subject, []];
      for (const each of node.cases) yield [each, guard('branch')];
      return;
    case 'BoolOp':
      for (const [index, value] of node.values.entries())
        yield [value, index === 0 ? [] : guard('short-circuit')];
      return;
    case 'Compare':
      yield [node.left, []];
      for (const [index, value] of node.comparators.entries())
        yield [value, index === 0 ? [] : guard('short-circuit')];
      return;
    case 'Assert':
      yield [node.test, []];
      if (node.msg) yield [node.msg, guard('branch')];
      return;
    case 'Module':
    case 'ClassDef':
    case 'ExceptHandler':
    case 'MatchCase': {
      const body: readonly Node[] = node.body;
      for (const child of childrenOf(node)) if (!body.includes(child)) yield [child, []];
      yield* block(body, []);
      return;
    }
    default:
      for (const child of childrenOf(node)) yield [child, []];
  }
}

function* comprehensionChildren(node: Extract<Node, { generators: unknown[] }>): Generator<[Node, Guard[]]> {
  const deferred: Guard[] = node.nodeType === 'GeneratorExp' ? [{ kind: 'deferred', node }] : [];
  const loop: Guard = { kind: 'loop', node };
  const [first] = node.generators;
  for (const child of childrenOf(node)) {
    if (child !== first) yield [child, [...deferred, loop]];
    else {
      yield [first.iter, []];
      yield [first.target, [...deferred, loop]];
      for (const condition of first.ifs) yield [condition, [...deferred, loop]];
    }
  }
}

/** Statements of a block; those behind one that may leave it carry an exit guard. */
function* block(statements: readonly Node[], guards: Guard[]): Generator<[Node, Guard[]]> {
  let exit: Guard | null = null;
  for (const statement of statements) {
    yield [statement, exit ? [...guards, exit] : guards];
    if (!exit && mayLeave(statement)) exit = { kind: 'exit', node: statement };
  }
}

const exitCalls = new Set(['exit', 'quit', 'sys.exit', 'os._exit', 'os.abort']);

/** Whether control may leave the statement's block at it. */
function mayLeave(node: Node): boolean {
  switch (node.nodeType) {
    case 'Return':
    case 'Raise':
    case 'Break':
    case 'Continue':
      return true;
    case 'Call':
      if (exitCalls.has(dottedName(node.func as Expression) ?? '')) return true;
      break;
  }
  if (isFunction(node) || node.nodeType === 'Lambda' || node.nodeType === 'ClassDef') return false;
  for (const child of childrenOf(node)) if (mayLeave(child)) return true;
  return false;
}
