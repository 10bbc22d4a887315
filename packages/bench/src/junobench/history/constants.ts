// Plain values that the executed cells bind and that certainly still hold: immutable literals that were bound last, and
// lists or dicts of literals that no executed cell ever mentions again.
import type { Literal } from '@grus/kernel/snapshot';
import { type Expression, walk } from '@grus/python';
import type { History, NameChange } from './bindings.js';

export type Constant =
  | { readonly type: 'plain'; readonly literal: Literal; readonly className: string }
  | { readonly type: 'list'; readonly items: readonly Constant[] }
  | { readonly type: 'dict'; readonly keys: readonly Literal[]; readonly values: readonly Constant[] };

export function constantOf(binding: NameChange, history: History): Constant | undefined {
  const { node } = binding;
  if (node.nodeType !== 'Assign' || binding.conditional || node.targets.length !== 1) return undefined;
  if (node.targets[0]!.nodeType !== 'Name') return undefined;
  const constant = fold(node.value);
  if (constant === undefined || constant.type === 'plain') return constant;
  return mentions(binding.name, history) === 1 ? constant : undefined;
}

function mentions(name: string, history: History): number {
  let count = 0;
  for (const cell of history.cells)
    for (const node of walk(cell.module)) if (node.nodeType === 'Name' && node.id === name) count++;
  return count;
}

function fold(node: Expression): Constant | undefined {
  switch (node.nodeType) {
    case 'Constant':
      return plain(node.kind ?? '', node.value);
    case 'UnaryOp': {
      const operand = node.op.nodeType === 'USub' ? fold(node.operand) : undefined;
      if (operand?.type !== 'plain' || typeof operand.literal !== 'number') return undefined;
      return { ...operand, literal: -operand.literal };
    }
    case 'Tuple': {
      const items = foldAll(node.elts);
      if (items === undefined || items.some((item) => item.type !== 'plain')) return undefined;
      return {
        type: 'plain',
        literal: items.map((item) => (item as { literal: Literal }).literal),
        className: 'tuple',
      };
    }
    case 'List': {
      const items = foldAll(node.elts);
      return items === undefined ? undefined : { type: 'list', items };
    }
    case 'Dict': {
      const keys = foldAll(node.keys as readonly (Expression | null)[]);
      const values = foldAll(node.values);
      if (keys === undefined || values === undefined || keys.some((key) => key.type !== 'plain'))
        return undefined;
      return { type: 'dict', keys: keys.map((key) => (key as { literal: Literal }).literal), values };
    }
    default:
      return undefined;
  }
}

function foldAll(nodes: readonly (Expression | null)[]): Constant[] | undefined {
  const folded: Constant[] = [];
  for (const node of nodes) {
    const constant = node === null ? undefined : fold(node);
    if (constant === undefined) return undefined;
    folded.push(constant);
  }
  return folded;
}

function plain(kind: string, value: unknown): Constant | undefined {
  if (kind === 'none') return { type: 'plain', literal: null, className: 'NoneType' };
  if (kind === 'bool' && typeof value === 'boolean')
    return { type: 'plain', literal: value, className: 'bool' };
  if (kind === 'str' && typeof value === 'string') return { type: 'plain', literal: value, className: 'str' };
  if ((kind === 'int' || kind === 'float') && typeof value === 'number' && Number.isFinite(value))
    return { type: 'plain', literal: value, className: kind };
  return undefined;
}
