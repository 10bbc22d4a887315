// What the target cell asks of the kernel: the names it loads, at module level and inside its own functions, and the
// attributes it loads on names at module level, which are those the recorder looked at.
import {
  childrenOf,
  type FunctionNode,
  isFunction,
  type Node,
  type NodeOf,
  type ParsedCell,
} from '@grus/python';
import { globalsOf } from './bindings.js';

export interface CellUses {
  /** Names loaded while the cell's own statements run. */
  readonly direct: ReadonlySet<string>;
  /** Names loaded only inside functions, classes' methods or lambdas of the cell. */
  readonly deferred: ReadonlySet<string>;
  /** `name.attribute` loads at module level. */
  readonly attributes: readonly { readonly name: string; readonly attribute: string }[];
}

export function usesOf(cell: ParsedCell): CellUses {
  const direct = new Set<string>();
  const deferred = new Set<string>();
  const attributes = new Map<string, { name: string; attribute: string }>();
  const visit = (node: Node): void => {
    if (isFunction(node) || node.nodeType === 'Lambda') {
      for (const name of globalsOf(node)) deferred.add(name);
      for (const child of evaluatedAtDefinition(node)) visit(child);
      return;
    }
    if (node.nodeType === 'Name' && node.ctx.nodeType === 'Load') direct.add(node.id);
    if (node.nodeType === 'Attribute' && node.ctx.nodeType === 'Load' && node.value.nodeType === 'Name')
      attributes.set(`${node.value.id}.${node.attr}`, { name: node.value.id, attribute: node.attr });
    for (const child of childrenOf(node)) visit(child);
  };
  for (const statement of cell.body) visit(statement);
  return { direct, deferred, attributes: [...attributes.values()] };
}

function evaluatedAtDefinition(node: FunctionNode | NodeOf<'Lambda'>): Node[] {
  const { defaults, kw_defaults: keywordDefaults } = node.args;
  const evaluated: (Node | null)[] = [...defaults, ...keywordDefaults];
  if (isFunction(node)) evaluated.push(...node.decorator_list);
  return evaluated.filter((child): child is Node => child !== null);
}
