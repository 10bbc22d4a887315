// What the executed cells did to the names of the notebook, read off their source in the order of execution: every
// binding at module level, and what makes such a reading incomplete (star imports, `exec`, magics that bind names).
import { childrenOf, type Node, type ParsedCell, parametersOf, parseCell, walk } from '@grus/python';

export interface NameChange {
  readonly name: string;
  /** The cell's position among the executed cells, counted from 0. */
  readonly cell: number;
  /** The statement that binds: an import, a definition, an assignment, or anything else. */
  readonly node: Node;
  /** True when the binding sits under an `if`, a loop or a `try`, or in a function that declares the name global. */
  readonly conditional: boolean;
  readonly removed: boolean;
}

export interface History {
  readonly cells: readonly ParsedCell[];
  readonly bindings: ReadonlyMap<string, readonly NameChange[]>;
  /** False when names may have been bound in ways that the source does not show. */
  readonly complete: boolean;
}

const opaqueCalls = new Set(['exec', 'globals', 'locals', 'vars']);
const branching = new Set([
  'If',
  'For',
  'AsyncFor',
  'While',
  'Try',
  'TryStar',
  'Match',
  'With',
  'AsyncWith',
  'MatchCase',
  'ExceptHandler',
]);
const unconditionalBlocks = new Set(['With', 'AsyncWith']);

export function readHistory(sources: readonly string[]): History {
  const cells = sources.map((source) => parseCell(source));
  const bindings = new Map<string, NameChange[]>();
  let complete = true;
  cells.forEach((cell, index) => {
    if (cell.problem !== null || cell.foreign || hidesBindings(cell)) complete = false;
    for (const binding of bindingsOf(cell, index)) {
      const known = bindings.get(binding.name);
      if (known === undefined) bindings.set(binding.name, [binding]);
      else known.push(binding);
    }
  });
  return { cells, bindings, complete };
}

function hidesBindings(cell: ParsedCell): boolean {
  if (cell.magics.some((magic) => magic.effects.names)) return true;
  for (const node of walk(cell.module)) {
    if (node.nodeType === 'ImportFrom' && node.names.some((alias) => alias.name === '*')) return true;
    if (node.nodeType === 'Call' && node.func.nodeType === 'Name' && opaqueCalls.has(node.func.id))
      return true;
  }
  return false;
}

/** The bindings of one cell at module level, in source order. */
export function bindingsOf(cell: ParsedCell, index: number): NameChange[] {
  const found: NameChange[] = [];
  const add = (name: string, node: Node, conditional: boolean, removed = false): void => {
    found.push({ name, cell: index, node, conditional, removed });
  };
  for (const statement of cell.body) visit(statement, statement, false, add);
  return found;
}

type Add = (name: string, node: Node, conditional: boolean, removed?: boolean) => void;

function visit(node: Node, statement: Node, conditional: boolean, add: Add): void {
  switch (node.nodeType) {
    case 'FunctionDef':
    case 'AsyncFunctionDef':
    case 'ClassDef':
      add(node.name, node, conditional);
      for (const inner of walk(node))
        if (inner.nodeType === 'Global') for (const name of inner.names) add(name, inner, true);
      return;
    case 'Lambda':
      return;
    case 'ListComp':
    case 'SetComp':
    case 'DictComp':
    case 'GeneratorExp':
      for (const inner of walk(node))
        if (inner.nodeType === 'NamedExpr' && inner.target.nodeType === 'Name')
          add(inner.target.id, inner, true);
      return;
    case 'Import':
      for (const alias of node.names) add(alias.asname ?? alias.name.split('.')[0]!, node, conditional);
      return;
    case 'ImportFrom':
      for (const alias of node.names)
        if (alias.name !== '*') add(alias.asname ?? alias.name, node, conditional);
      return;
    case 'Name':
      if (node.ctx.nodeType === 'Store') add(node.id, statement, conditional);
      else if (node.ctx.nodeType === 'Del') add(node.id, statement, conditional, true);
      return;
    case 'ExceptHandler':
      if (node.name) add(node.name, node, true);
      break;
    case 'MatchAs':
    case 'MatchStar':
      if (node.name) add(node.name, node, true);
      break;
  }
  const inner = conditional || (branching.has(node.nodeType) && !unconditionalBlocks.has(node.nodeType));
  const isBlock = branching.has(node.nodeType);
  for (const child of childrenOf(node)) visit(child, isBlock ? child : statement, inner, add);
}

/** Names that a function, class body or lambda loads from outside itself. */
export function globalsOf(node: Node): string[] {
  const loaded = new Set<string>();
  const own = new Set<string>();
  const declared = new Set<string>();
  for (const inner of walk(node)) {
    if (inner.nodeType === 'Name') (inner.ctx.nodeType === 'Load' ? loaded : own).add(inner.id);
    else if (inner.nodeType === 'Arguments')
      for (const parameter of parametersOf(inner)) own.add(parameter.arg);
    else if (inner.nodeType === 'Global') for (const name of inner.names) declared.add(name);
    else if (inner !== node && (inner.nodeType === 'FunctionDef' || inner.nodeType === 'ClassDef'))
      own.add(inner.name);
    else if (inner.nodeType === 'ExceptHandler' && inner.name) own.add(inner.name);
    else if (inner.nodeType === 'Import' || inner.nodeType === 'ImportFrom')
      for (const alias of inner.names) own.add(alias.asname ?? alias.name.split('.')[0]!);
  }
  return [...loaded].filter((name) => declared.has(name) || !own.has(name));
}
