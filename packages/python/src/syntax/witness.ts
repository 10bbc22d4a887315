// A syntax error is certain only when a second, independent reader of Python agrees. The live kernel is the best one: it
// can compile the cell with its own Python and IPython; tree-sitter serves where no kernel can be asked.
import type { ParsedCell } from '../cell/parse.js';
import { type CertainSyntaxError, findSymbolError } from './symbol-errors.js';

export type SyntaxJudgement =
  | { readonly verdict: 'valid' }
  /** `error` in Python's own words, when the witness is Python. */
  | { readonly verdict: 'invalid'; readonly error?: CertainSyntaxError }
  | { readonly verdict: 'unknown'; readonly because: string };

/** Somebody else who can say whether a cell is valid. `authority` is true for the kernel that will run the cell. */
export interface SyntaxWitness {
  readonly name: string;
  readonly authority: boolean;
  judge(cell: ParsedCell): SyntaxJudgement | Promise<SyntaxJudgement>;
}

/** The syntax error the cell is certain to raise, or null. Witnesses are only asked when there is a suspicion. */
export async function confirmSyntaxError(
  cell: ParsedCell,
  witnesses: readonly SyntaxWitness[],
): Promise<CertainSyntaxError | null> {
  if (!suspicionOf(cell)) return null;
  const ranked = [...witnesses].sort((a, b) => Number(b.authority) - Number(a.authority));
  for (const witness of ranked) {
    const judgement = await witness.judge(cell);
    if (judgement.verdict !== 'unknown') return settleSyntaxError(cell, judgement, witness.authority);
  }
  return settleSyntaxError(cell, null, false);
}

/** The same with the judgement of one witness at hand, or none. An authority is believed in everything it says. */
export function settleSyntaxError(
  cell: ParsedCell,
  judgement: SyntaxJudgement | null,
  authority: boolean,
): CertainSyntaxError | null {
  if (cell.foreign) return null;
  const suspicion = suspicionOf(cell);
  if (authority && judgement?.verdict === 'valid') return null;
  if (authority && judgement?.verdict === 'invalid') return judgement.error ?? suspicion;
  if (!suspicion || !cell.problem) return suspicion;
  // A grammar of another make must agree, unless the complaint speaks for itself.
  return judgement?.verdict === 'invalid' || isSelfEvident(cell) ? suspicion : null;
}

function suspicionOf(cell: ParsedCell): CertainSyntaxError | null {
  if (cell.foreign) return null;
  return cell.problem ? guessed(cell) : findSymbolError(cell.module);
}

/**
 * Complaints that name a rule of Python rather than a failure to read on: indentation, impossible targets, order of
 * arguments; and statements of Python 2, which tree-sitter's grammar still admits.
 */
function isSelfEvident(cell: ParsedCell): boolean {
  const { message, place } = cell.problem!;
  if (/indent|cannot assign|follows keyword argument/i.test(message)) return true;
  return /^\s*((print|exec)\s+["'\w]|raise\s+\w+\s*,)/.test(cell.lines[place.line - 1] ?? '');
}

/** The parser's complaint in the class that Python would raise. */
function guessed(cell: ParsedCell): CertainSyntaxError {
  const { message, place } = cell.problem!;
  const isIndentation = /indent/i.test(message);
  return { type: isIndentation ? 'IndentationError' : 'SyntaxError', message, place };
}
