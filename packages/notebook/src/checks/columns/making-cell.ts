// The cell that would have made a column, had it been run or not failed: remedies name it, as they do for names.
import type { Literal } from '@grus/kernel/snapshot';
import { type Node, parseCell, walk } from '@grus/python';
import type { CellHistory } from '../../session/cells.js';
import type { CheckContext } from '../define-check.js';

export function cellMakingColumn(
  frame: Node,
  label: Literal,
  context: CheckContext,
): CellHistory | undefined {
  if (frame.nodeType !== 'Name') return undefined;
  const candidates = context.cells.filter(
    (cell) =>
      cell.status !== 'ok' &&
      cell.source !== context.cell.source &&
      cell.source.includes(String(label)) &&
      makesColumn(cell.source, frame.id, label),
  );
  return candidates.find((cell) => cell.status === 'failed') ?? candidates.at(-1);
}

/** `frame[label] = …` */
function makesColumn(source: string, frame: string, label: Literal): boolean {
  for (const node of walk(parseCell(source).module)) {
    if (node.nodeType !== 'Assign') continue;
    for (const target of node.targets)
      if (
        target.nodeType === 'Subscript' &&
        target.value.nodeType === 'Name' &&
        target.value.id === frame &&
        target.slice.nodeType === 'Constant' &&
        target.slice.value === label
      )
        return true;
  }
  return false;
}
