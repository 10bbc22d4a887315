// What a cell asks of the packages that a notebook imports: dotted names, members, and the arguments of calls by name.
import { dottedName, type Expression, type Node, parseCell, placeOf, walk } from '@grus/python';
import type { CodeCell } from '../file/document.js';

export interface AskedOfPackages {
  /** Full dotted paths: `np.float_` is `numpy.float_`. */
  readonly paths: readonly string[];
  readonly members: readonly string[];
  /** Arguments by name of a call, by the path or the member that is called. */
  readonly keywords: readonly { readonly of: string; readonly name: string }[];
}

/** Of one line of the cell, or of all of it. */
export function askedOfPackages(
  cells: readonly CodeCell[],
  cell: CodeCell,
  line: number | null,
): AskedOfPackages {
  const aliases = aliasesOf(cells);
  const paths = new Set<string>();
  const members = new Set<string>();
  const keywords: { of: string; name: string }[] = [];
  const pathOf = (node: Expression): string | null => {
    const [first = '', ...rest] = dottedName(node)?.split('.') ?? [];
    const module = aliases.get(first);
    return module === undefined ? null : [module, ...rest].join('.');
  };
  for (const node of walk(parseCell(cell.source).module)) {
    if (line !== null && !covers(node, line)) continue;
    if (node.nodeType === 'ImportFrom' && node.module && !node.level)
      for (const { name } of node.names) paths.add(`${node.module}.${name}`);
    if (node.nodeType === 'Import') for (const { name } of node.names) paths.add(name);
    if (node.nodeType === 'Name' || node.nodeType === 'Attribute') {
      const path = pathOf(node);
      if (path !== null) paths.add(path);
      else if (node.nodeType === 'Attribute') members.add(node.attr);
    }
    if (node.nodeType !== 'Call') continue;
    const of = pathOf(node.func) ?? (node.func.nodeType === 'Attribute' ? node.func.attr : null);
    if (of !== null) for (const { arg } of node.keywords) if (arg) keywords.push({ of, name: arg });
  }
  return { paths: [...paths], members: [...members], keywords };
}

/** What the imports of the notebook call by another name. */
function aliasesOf(cells: readonly CodeCell[]): Map<string, string> {
  const aliases = new Map<string, string>();
  for (const { source } of cells)
    for (const node of walk(parseCell(source).module)) {
      if (node.nodeType === 'Import')
        for (const { name, asname } of node.names)
          aliases.set(asname ?? name.split('.')[0]!, asname ? name : name.split('.')[0]!);
      if (node.nodeType === 'ImportFrom' && node.module && !node.level)
        for (const { name, asname } of node.names) aliases.set(asname ?? name, `${node.module}.${name}`);
    }
  return aliases;
}

function covers(node: Node, line: number): boolean {
  if (node.nodeType === 'Module' || !('lineno' in node)) return false;
  const place = placeOf(node);
  return place.line <= line && line <= place.endLine;
}
