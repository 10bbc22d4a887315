/**
 * # A cell that Python cannot compile
 *
 * ## What
 * The kernel's own Python refuses to compile the cell after IPython's transformation of magics; without a kernel, the
 * cell breaks a rule that every Python has.
 *
 * ## Why it crashes
 * Nothing of the cell runs: Python raises `SyntaxError`, `IndentationError` or `TabError` first.
 *
 * ## Example
 * ```python cell
 * print "hello"
 * ```
 *
 * ## Fix
 * Correct the line that the message names. An unclosed bracket is reported where it was opened.
 * ```python fixed
 * print("hello")
 * ```
 *
 * ## When it stays silent
 * When the cell is not Python (`%%bash`), when a cell magic swallows exceptions, and when the session has input
 * transformers of its own that may turn the text into valid Python.
 */
import type { Snapshot } from '@grus/kernel/snapshot';
import {
  type CertainSyntaxError,
  type CompilerAnswer,
  certainSyntaxError,
  type ParsedCell,
} from '@grus/python';
import { defineCheck } from '../define-check.js';

export default defineCheck({
  id: 'names/syntax-error',
  title: 'A cell that Python cannot compile',
  rung: 'names',
  libraries: [],
  on: {
    cell({ cell }, context) {
      if (cell.foreign || cell.cellMagic?.swallowsErrors) return;
      const error = settle(cell, context.snapshot);
      if (!error) return;
      const { line, column, endLine, endColumn } = error.place;
      const byKernel = context.snapshot.compile?.status === 'error';
      context.report({
        exception: error.type,
        message: error.message,
        node: {
          nodeType: 'Pass',
          lineno: line,
          col_offset: column,
          end_lineno: endLine,
          end_col_offset: endColumn,
        },
        evidence: [
          {
            fact: `${byKernel ? "the kernel's Python" : 'Python'} refuses the cell: ${error.message}`,
            source: `line ${line}`,
          },
        ],
        explanation: `The cell does not compile: ${error.message} (line ${line}). Nothing of it will run.`,
        remedy: `Correct the syntax at line ${line}.`,
      });
    },
  },
});

function settle(cell: ParsedCell, snapshot: Snapshot): CertainSyntaxError | null {
  const compiled = snapshot.compile;
  // Custom input transformers may make Python of anything.
  if (compiled?.status === 'unknown') return null;
  // The body of a cell magic is a string to the compiler: its approval says nothing.
  if (!compiled || (cell.cellMagic && compiled.status === 'ok')) {
    const hasAwait = cell.cellMagic !== null && /\bawait\b/.test(cell.source);
    return hasAwait ? null : certainSyntaxError(cell, null);
  }
  return certainSyntaxError(cell, answerOf(cell, compiled));
}

function answerOf(cell: ParsedCell, compiled: NonNullable<Snapshot['compile']>): CompilerAnswer {
  if (compiled.status !== 'error') return { verdict: 'valid' };
  const line = lineInCell(cell, compiled.line ?? 1, compiled.text);
  const text = cell.lines[line - 1] ?? '';
  const column = Math.min(Math.max(0, (compiled.column ?? 1) - 1), text.length);
  const type =
    compiled.type === 'IndentationError' || compiled.type === 'TabError' ? compiled.type : 'SyntaxError';
  return {
    verdict: 'invalid',
    error: {
      type,
      message: compiled.message,
      place: { line, column, endLine: line, endColumn: text.length },
    },
  };
}

/** IPython drops blank lines in front and joins continued magics; the text of the line finds it again. */
function lineInCell(cell: ParsedCell, line: number, text: string | null): number {
  const leading = cell.lines.findIndex((each) => each.trim() !== '');
  const expected = Math.min(cell.lines.length, line + Math.max(0, leading));
  const wanted = text?.trim();
  if (!wanted || cell.lines[expected - 1]?.trim() === wanted) return expected;
  const found = cell.lines.findIndex((each, index) => index >= expected - 1 && each.trim() === wanted);
  return found < 0 ? expected : found + 1;
}
