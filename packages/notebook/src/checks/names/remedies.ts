// What to do about a name that is not there: the cell that defines it, the import that is missing, the near-miss spelling.
import { type Edit, nearest } from '@grus/core';
import { buildScopes, type Node, type ParsedCell, parseCell, placeOf } from '@grus/python';
import type { CellHistory } from '../../session/cells.js';
import type { CheckContext } from '../define-check.js';
import { importOf } from './common-imports.js';

export interface Remedy {
  readonly remedy: string;
  readonly edit?: Edit;
}

const bound = new Map<string, ReadonlySet<string>>();

/** Names that a cell leaves bound at its top level when it runs to its end. */
function boundBy(source: string): ReadonlySet<string> {
  const known = bound.get(source);
  if (known) return known;
  const { module } = buildScopes(parseCell(source).module);
  const names = new Set<string>();
  for (const scope of module.all())
    for (const symbol of scope.symbols.values()) {
      const isGlobal = scope === module || symbol.declared === 'global';
      if (isGlobal && symbol.bindings.length > 0 && symbol.deletions.length === 0) names.add(symbol.name);
    }
  if (bound.size > 2000) bound.clear();
  bound.set(source, names);
  return names;
}

/** The cell that would define the name, had it run to its end: the last one in front of the target, else the first behind. */
export function definingCell(name: string, context: CheckContext): CellHistory | undefined {
  const candidates = context.cells.filter((cell) => cell.status !== 'ok' && boundBy(cell.source).has(name));
  return candidates.find((cell) => cell.status === 'failed') ?? candidates.at(-1);
}

/** How to get a name that nothing defines. */
export function remedyFor(name: string, node: Node, context: CheckContext): Remedy {
  const statement = importOf(name);
  if (statement !== undefined)
    return {
      remedy: `Import it first: \`${statement}\`.`,
      edit: {
        place: firstPythonLine(context.cell),
        replacement: `${statement}\n`,
        title: `Add \`${statement}\``,
      },
    };
  const [first, ...others] = nearest(name, candidates(name, node, context));
  if (first !== undefined && others.length === 0)
    return {
      remedy: `Did you mean \`${first}\`?`,
      edit: { place: placeOf(node), replacement: first, title: `Replace \`${name}\` by \`${first}\`` },
    };
  if (first !== undefined)
    return { remedy: `Did you mean ${[first, ...others].map((word) => `\`${word}\``).join(' or ')}?` };
  return { remedy: `Define \`${name}\` before it is used, or run the cell that does.` };
}

/** Names in reach: those of the namespace and those the cell binds in front of the use. */
function* candidates(name: string, node: Node, context: CheckContext): Generator<string> {
  const { line } = placeOf(node);
  for (const known of context.snapshot.namespace) if (known !== name) yield known;
  for (const symbol of buildScopes(context.cell.module).module.symbols.values())
    if (symbol.name !== name && symbol.bindings.some((binding) => placeOf(binding.node).line < line))
      yield symbol.name;
}

/** The start of the first line that is Python: behind a cell magic. */
function firstPythonLine(cell: ParsedCell): Edit['place'] {
  const line = cell.cellMagic ? cell.cellMagic.line + 1 : 1;
  return { line, column: 0, endLine: line, endColumn: 0 };
}
