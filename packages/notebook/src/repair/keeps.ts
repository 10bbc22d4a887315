// An edit that avoids the crash by not doing the work is no fix: the edited cell must still bind what the cell bound, and
// must not hide exceptions that the cell let through.
import { buildScopes, parseCell, walk } from '@grus/python';

export function keepsTheWork(before: string, after: string): boolean {
  const bound = boundBy(after);
  if (![...boundBy(before)].every((name) => bound.has(name))) return false;
  return count(after, hiding) <= count(before, hiding) && count(after, working) >= count(before, working) / 2;
}

const hiding = new Set(['Try', 'TryStar']);
const working = new Set(['Call', 'Subscript', 'BinOp', 'Assign', 'AugAssign']);

function boundBy(source: string): Set<string> {
  const { module } = buildScopes(parseCell(source).module);
  return new Set(
    [...module.symbols.values()].filter((symbol) => symbol.bindings.length > 0).map(({ name }) => name),
  );
}

function count(source: string, kinds: ReadonlySet<string>): number {
  return [...walk(parseCell(source).module)].filter(({ nodeType }) => kinds.has(nodeType)).length;
}
