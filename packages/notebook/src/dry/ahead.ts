// A copy that runs ahead of its cell: both start at the same moment, nobody waits for it, and its loops and fits are cut short
// so that it comes to the end of a long cell first.
import { climb, type Verdict } from '@grus/core';
import { dryReply, dryRequest } from '@grus/kernel';
import { type ParsedCell, parseCell, placeOf } from '@grus/python';
import { ignoredChecks, isSuppressed } from '../checks/suppress.js';
import type { CheckTarget } from '../ladder/check-cell.js';
import { conclude } from './conclude.js';
import { cheapCopyMb } from './options.js';
import { looksLong } from './policy.js';

/** Nobody waits, but the machine has other things to do. */
const budgetMs = 60_000;

/** What the agent is asked for when the cell starts; null for cells that do not look long. */
export function aheadRequest({
  source,
  cells,
}: Pick<CheckTarget, 'source' | 'cells'>): ReturnType<typeof dryRequest> | null {
  const cell = parseCell(source);
  if (cell.foreign || cell.problem !== null || looksLong(cell, cells) === null) return null;
  return dryRequest([source], { budgetMs, cut: true, largestMb: cheapCopyMb });
}

interface Foreseen {
  readonly verdict: Verdict;
  /** The cell has not come to its crash as long as it is in an earlier line than this; null where that cannot be told. */
  readonly before: number | null;
}

/** What the copy found out about the cell that is still running; null unless that will crash. */
export async function concludeAhead(
  content: unknown,
  { source, metadata }: Pick<CheckTarget, 'source' | 'metadata'>,
  silenced: readonly string[],
): Promise<Foreseen | null> {
  const cell = parseCell(source);
  const result = dryReply(content);
  const told = result && conclude(result, 0, source);
  if (result?.status !== 'ok' || told?.outcome !== 'crash') return null;
  if (isSuppressed(cell, told.findings[0], ignoredChecks(metadata), silenced) !== null) return null;
  const verdict = {
    ...(await climb([{ name: 'dry run', run: async () => told }], null)),
    ms: result.total_ms,
  };
  const raised = result.cells.find((one) => one.cell === 0);
  return { verdict, before: raised?.status === 'raised' ? firstLineOf(cell, raised.call_line) : null };
}

/** Where the statement begins that is at work in a line. */
function firstLineOf(cell: ParsedCell, line: number | null): number | null {
  if (line === null || cell.cellMagic !== null) return null;
  const statement = cell.body.find((one) => placeOf(one).line <= line && line <= placeOf(one).endLine);
  return statement === undefined ? null : placeOf(statement).line;
}
