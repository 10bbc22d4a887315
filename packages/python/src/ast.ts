// The syntax tree that all of Grus reads: CPython's `ast` as `py-ast` builds it, with four normalisations made after the
// parse: columns count UTF-16 units of the source line (so slices of the source are right in JavaScript), every
// `Constant.kind` says which Python type the literal has, private names of a class stand as Python stores them
// (`_Class__name`), and magics stand as the calls IPython makes of them.
import type { Place } from '@grus/core';
import type { ASTNodeUnion, ExprNode, Located, StmtNode } from 'py-ast';

export type Node = ASTNodeUnion;
export type Expression = ExprNode;
export type Statement = Exclude<StmtNode, { nodeType: 'Comment' }>;
/** A node by its CPython class name; `Alias`, `Arg`, `Arguments`, `Keyword`, `Comprehension`, `MatchCase`, `WithItem` are capitalised. */
export type NodeOf<Type extends Node['nodeType']> = Extract<Node, { nodeType: Type }>;
export type FunctionNode = NodeOf<'FunctionDef' | 'AsyncFunctionDef'>;
export type ComprehensionNode = NodeOf<'ListComp' | 'SetComp' | 'DictComp' | 'GeneratorExp'>;
export type PatternNode = NodeOf<'MatchCase'>['pattern'];
export type ModuleNode = NodeOf<'Module'>;

/** The Python type of a literal, found in `Constant.kind`. */
export type LiteralKind = 'str' | 'bytes' | 'int' | 'float' | 'complex' | 'bool' | 'none' | 'ellipsis';

/** Fields that hold no child nodes; skipping them keeps walks cheap. */
const leafFields = new Set([
  'nodeType',
  'lineno',
  'col_offset',
  'end_lineno',
  'end_col_offset',
  'ctx',
  'op',
  'ops',
  'inlineComment',
  'comments',
]);

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'nodeType' in value;
}

/** The direct children in source order of their fields. */
export function childrenOf(node: Node): Node[] {
  const children: Node[] = [];
  for (const field of Object.keys(node)) {
    if (leafFields.has(field)) continue;
    const value: unknown = node[field as keyof Node];
    if (Array.isArray(value)) {
      for (const item of value) if (isNode(item)) children.push(item);
    } else if (isNode(value)) children.push(value);
  }
  return children;
}

/** The node and everything below it, parents first. */
export function* walk(node: Node): Generator<Node> {
  const pending: Node[] = [node];
  while (pending.length > 0) {
    const next = pending.pop()!;
    yield next;
    const children = childrenOf(next);
    for (let index = children.length - 1; index >= 0; index--) pending.push(children[index]!);
  }
}

export function placeOf(node: Node): Place {
  const located = node as Partial<Located>;
  const line = located.lineno ?? 1;
  const column = located.col_offset ?? 0;
  return {
    line,
    column,
    endLine: located.end_lineno ?? line,
    endColumn: located.end_col_offset ?? column,
  };
}

export function isFunction(node: Node): node is FunctionNode {
  return node.nodeType === 'FunctionDef' || node.nodeType === 'AsyncFunctionDef';
}

export function isComprehension(node: Node): node is ComprehensionNode {
  return (
    node.nodeType === 'ListComp' ||
    node.nodeType === 'SetComp' ||
    node.nodeType === 'DictComp' ||
    node.nodeType === 'GeneratorExp'
  );
}

/** All parameters of a function or lambda in the order of the signature. */
export function parametersOf(node: NodeOf<'Arguments'>): NodeOf<'Arg'>[] {
  return [
    ...node.posonlyargs,
    ...node.args,
    ...(node.vararg ? [node.vararg] : []),
    ...node.kwonlyargs,
    ...(node.kwarg ? [node.kwarg] : []),
  ];
}

/** `a.b.c` for an attribute chain that starts at a plain name; null for anything else. */
export function dottedName(node: Expression): string | null {
  const parts: string[] = [];
  let current = node;
  while (current.nodeType === 'Attribute') {
    parts.push(current.attr);
    current = current.value;
  }
  if (current.nodeType !== 'Name') return null;
  parts.push(current.id);
  return parts.reverse().join('.');
}
