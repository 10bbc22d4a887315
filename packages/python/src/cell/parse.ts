// Reads one notebook cell: magics out of the way, then the syntax tree. Never throws, whatever the text.
import type { Place } from '@grus/core';
import { parse } from 'py-ast';
import type { ModuleNode, Node, Statement } from '../ast.js';
import { placeOf } from '../ast.js';
import { type CellMagic, type Magic, transformCell } from '../magics/transform.js';
import { normalise } from './normalise.js';

/** A text that the parser rejected. It is a suspicion until a witness confirms it: see `syntax/`. */
export interface SyntaxProblem {
  readonly message: string;
  readonly place: Place;
}

export interface ParsedCell {
  readonly source: string;
  /** The cell as plain Python with the same lines; what a second parser should be shown. */
  readonly python: string;
  /** Characters that `python` lacks in front of each line. */
  readonly shifts: readonly number[];
  /** The tree; its body is empty when `problem` is set or the cell is foreign. */
  readonly module: ModuleNode;
  readonly body: readonly Statement[];
  readonly problem: SyntaxProblem | null;
  /** Every magic in source order, the cell magic first. */
  readonly magics: readonly Magic[];
  readonly cellMagic: CellMagic | null;
  /** True when the whole cell is another language or text (`%%bash`, `%%html`, an unknown cell magic). */
  readonly foreign: boolean;
  readonly lines: readonly string[];
  /** The source text of a node. */
  text(node: Node): string;
}

export function parseCell(source: string): ParsedCell {
  const transformed = transformCell(source);
  const { python, shifts, magics, cellMagic } = transformed;
  const lines = source.replace(/\r\n?/g, '\n').split('\n');
  const foreign = cellMagic !== null && !cellMagic.pythonBody;
  let module: ModuleNode = { nodeType: 'Module', body: [], lineno: 1, col_offset: 0 };
  let problem: SyntaxProblem | null = null;
  if (!foreign) {
    try {
      const parsed = parse(python.replace(/\f/g, ' ').replace(/^\ufeff/, ' '));
      normalise(parsed, transformed);
      module = parsed;
    } catch (error) {
      problem = problemOf(error, lines);
    }
  }
  return {
    source,
    python,
    shifts,
    module,
    body: module.body.filter((statement): statement is Statement => statement.nodeType !== 'Comment'),
    problem,
    magics,
    cellMagic,
    foreign,
    lines,
    text: (node) => textAt(lines, placeOf(node)),
  };
}

/** The text of a range of the cell. */
export function textAt(lines: readonly string[], place: Place): string {
  if (place.line === place.endLine) return (lines[place.line - 1] ?? '').slice(place.column, place.endColumn);
  const middle = lines.slice(place.line, place.endLine - 1);
  return [
    (lines[place.line - 1] ?? '').slice(place.column),
    ...middle,
    (lines[place.endLine - 1] ?? '').slice(0, place.endColumn),
  ].join('\n');
}

function problemOf(error: unknown, lines: readonly string[]): SyntaxProblem {
  const message = error instanceof Error ? error.message : String(error);
  const position = error as { lineno?: unknown; col_offset?: unknown };
  const inText = /at line (\d+)(?:, column (\d+))?/.exec(message);
  const line = clamp(number(position.lineno) ?? number(inText?.[1]) ?? 1, 1, Math.max(1, lines.length));
  const column = clamp(
    number(position.col_offset) ?? number(inText?.[2]) ?? 0,
    0,
    lines[line - 1]?.length ?? 0,
  );
  return {
    message: message.replace(/ at line \d+(, column \d+)?$/, ''),
    place: { line, column, endLine: line, endColumn: column },
  };
}

function number(value: unknown): number | null {
  const converted = typeof value === 'string' || typeof value === 'number' ? Number(value) : Number.NaN;
  return Number.isFinite(converted) ? converted : null;
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value));
}
