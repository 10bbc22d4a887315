// Errors that Python raises for a cell after parsing it: when it builds the symbol table, then when it compiles. Only what
// every supported Python rejects is listed, in the order in which Python would meet it.
import type { Place } from '@grus/core';
import {
  childrenOf,
  type Expression,
  isFunction,
  type ModuleNode,
  type Node,
  parametersOf,
  placeOf,
} from '../ast.js';
import { buildScopes, type Scope } from '../scopes/index.js';
import { targetError } from './targets.js';

export interface CertainSyntaxError {
  readonly type: 'SyntaxError' | 'IndentationError' | 'TabError';
  readonly message: string;
  readonly place: Place;
}

/** The first error Python would report for a tree that its grammar accepts, or null. */
export function findSymbolError(module: ModuleNode): CertainSyntaxError | null {
  const found = [grammarErrors(module), scopeErrors(buildScopes(module).module), flowErrors(module)];
  for (const errors of found) {
    const [first] = errors.sort((a, b) => a.place.line - b.place.line || a.place.column - b.place.column);
    if (first) return first;
  }
  return null;
}

function error(message: string, node: Node): CertainSyntaxError {
  return { type: 'SyntaxError', message, place: placeOf(node) };
}

/** What the grammar's own actions reject: impossible targets, repeated keywords, misplaced handlers. */
function grammarErrors(module: ModuleNode): CertainSyntaxError[] {
  const errors: CertainSyntaxError[] = [];
  const check = (target: Expression, verb: 'assign to' | 'delete') => {
    const problem = targetError(target, verb);
    if (problem) errors.push(error(problem.message, problem.node));
  };
  const visit = (node: Node): void => {
    switch (node.nodeType) {
      case 'Assign':
        for (const target of node.targets) check(target, 'assign to');
        break;
      case 'For':
      case 'AsyncFor':
      case 'Comprehension':
        check(node.target, 'assign to');
        break;
      case 'Delete':
        for (const target of node.targets) check(target, 'delete');
        break;
      case 'Call': {
        const seen = new Set<string>();
        for (const keyword of node.keywords) {
          if (!keyword.arg) continue;
          if (seen.has(keyword.arg)) errors.push(error(`keyword argument repeated: ${keyword.arg}`, keyword));
          seen.add(keyword.arg);
        }
        break;
      }
      case 'Try':
        if (node.handlers.length === 0 && node.finalbody.length === 0)
          errors.push(error("expected 'except' or 'finally' block", node.body.at(-1) ?? node));
        for (const handler of node.handlers.slice(0, -1))
          if (!handler.type) errors.push(error("default 'except:' must be last", handler));
        break;
    }
    for (const child of childrenOf(node)) visit(child);
  };
  visit(module);
  return errors;
}

function scopeErrors(module: Scope): CertainSyntaxError[] {
  const errors: CertainSyntaxError[] = [];
  for (const scope of module.all()) {
    const { node } = scope;
    if (isFunction(node) || node.nodeType === 'Lambda') {
      const seen = new Set<string>();
      for (const parameter of parametersOf(node.args)) {
        if (seen.has(parameter.arg))
          errors.push(error(`duplicate argument '${parameter.arg}' in function definition`, parameter));
        seen.add(parameter.arg);
      }
    }
    if (scope.kind !== 'module')
      for (const star of scope.starImports) errors.push(error('import * only allowed at module level', star));
    errors.push(...declarationErrors(scope));
  }
  return errors;
}

function declarationErrors(scope: Scope): CertainSyntaxError[] {
  const errors: CertainSyntaxError[] = [];
  for (const statement of declarations(scope.node)) {
    const word = statement.nodeType === 'Global' ? 'global' : 'nonlocal';
    if (word === 'nonlocal' && scope.kind === 'module') {
      errors.push(error('nonlocal declaration not allowed at module level', statement));
      continue;
    }
    for (const name of statement.names) {
      const symbol = scope.symbols.get(name);
      if (symbol?.bindings.some((binding) => binding.kind === 'parameter')) {
        errors.push(error(`name '${name}' is parameter and ${word}`, statement));
        continue;
      }
      const before = (use: { node: Node }) => isBefore(use.node, statement);
      if (symbol?.loads.some(before))
        errors.push(error(`name '${name}' is used prior to ${word} declaration`, statement));
      else if (symbol?.bindings.some(before))
        errors.push(error(`name '${name}' is assigned to before ${word} declaration`, statement));
      else if (word === 'nonlocal' && scope.resolve(name) === 'global' && !name.startsWith('__'))
        errors.push(error(`no binding for nonlocal '${name}' found`, statement));
    }
  }
  return errors;
}

function isBefore(node: Node, other: Node): boolean {
  const a = placeOf(node);
  const b = placeOf(other);
  return a.line < b.line || (a.line === b.line && a.column < b.column);
}

type Declaration = Extract<Node, { nodeType: 'Global' | 'Nonlocal' }>;

/** `global` and `nonlocal` statements that belong to the block of `owner` itself. */
function declarations(owner: Node): Declaration[] {
  const found: Declaration[] = [];
  const visit = (node: Node): void => {
    if (node.nodeType === 'Global' || node.nodeType === 'Nonlocal') found.push(node);
    if (isFunction(node) || node.nodeType === 'ClassDef' || node.nodeType === 'Lambda') return;
    for (const child of childrenOf(node)) visit(child);
  };
  for (const child of childrenOf(owner)) visit(child);
  return found;
}

interface Flow {
  readonly inFunction: 'no' | 'sync' | 'async';
  readonly inClass: boolean;
  readonly inLoop: boolean;
  /** Generator expressions may await anywhere; other comprehensions only where their block may. */
  readonly inGenerator: boolean;
}

/** `return`, `yield`, `await`, `break` and `continue` where the compiler refuses them. */
function flowErrors(module: ModuleNode): CertainSyntaxError[] {
  const errors: CertainSyntaxError[] = [];
  const outside = (flow: Flow) => flow.inFunction === 'no' || flow.inClass;
  const cannotAwait = (flow: Flow) => flow.inFunction === 'sync' || flow.inClass;
  const visit = (node: Node, flow: Flow): void => {
    if (isFunction(node)) {
      const kind = node.nodeType === 'FunctionDef' ? 'sync' : 'async';
      for (const child of childrenOf(node)) {
        const inBody = (node.body as Node[]).includes(child);
        visit(child, inBody ? { inFunction: kind, inClass: false, inLoop: false, inGenerator: false } : flow);
      }
      return;
    }
    switch (node.nodeType) {
      case 'Lambda':
        visit(node.args, flow);
        visit(node.body, { inFunction: 'sync', inClass: false, inLoop: false, inGenerator: false });
        return;
      case 'ClassDef':
        for (const child of childrenOf(node)) {
          const inBody = (node.body as Node[]).includes(child);
          visit(child, inBody ? { ...flow, inClass: true, inLoop: false } : flow);
        }
        return;
      case 'For':
      case 'AsyncFor':
      case 'While':
        if (node.nodeType === 'AsyncFor' && cannotAwait(flow))
          errors.push(error("'async for' outside async function", node));
        for (const child of childrenOf(node)) {
          const inBody = (node.body as Node[]).includes(child);
          visit(child, inBody ? { ...flow, inLoop: true } : flow);
        }
        return;
      case 'GeneratorExp':
        for (const child of childrenOf(node)) visit(child, { ...flow, inGenerator: true });
        return;
      case 'Return':
        if (outside(flow)) errors.push(error("'return' outside function", node));
        break;
      case 'Yield':
      case 'YieldFrom':
        if (outside(flow)) errors.push(error("'yield' outside function", node));
        break;
      case 'Await':
        if (cannotAwait(flow) && !flow.inGenerator)
          errors.push(error("'await' outside async function", node));
        break;
      case 'AsyncWith':
        if (cannotAwait(flow)) errors.push(error("'async with' outside async function", node));
        break;
      case 'Break':
        if (!flow.inLoop) errors.push(error("'break' outside loop", node));
        break;
      case 'Continue':
        if (!flow.inLoop) errors.push(error("'continue' not properly in loop", node));
        break;
    }
    for (const child of childrenOf(node)) visit(child, flow);
  };
  visit(module, { inFunction: 'no', inClass: false, inLoop: false, inGenerator: false });
  return errors;
}
