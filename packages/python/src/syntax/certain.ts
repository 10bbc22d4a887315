// When a syntax error is certain. The kernel that will run the cell can compile it, and is believed in everything it says.
// Without a kernel, the parser is believed only where its complaint names a rule of Python.
import type { ParsedCell } from '../cell/parse.js';
import { type CertainSyntaxError, findSymbolError } from './symbol-errors.js';

/** What the kernel's own compiler said of the cell, in Python's words where it refused it. */
export type CompilerAnswer =
  | { readonly verdict: 'valid' }
  | { readonly verdict: 'invalid'; readonly error: CertainSyntaxError };

/** The syntax error the cell is certain to raise, or null. `compiler` is null where no kernel can be asked. */
export function certainSyntaxError(
  cell: ParsedCell,
  compiler: CompilerAnswer | null,
): CertainSyntaxError | null {
  if (cell.foreign) return null;
  if (compiler) return compiler.verdict === 'invalid' ? compiler.error : null;
  if (!cell.problem) return findSymbolError(cell.module);
  return isSelfEvident(cell) ? guessed(cell) : null;
}

/**
 * Complaints that name a rule of Python rather than a failure to read on: indentation, impossible targets, order of
 * arguments; and statements of Python 2.
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
