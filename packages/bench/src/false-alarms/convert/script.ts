// Cuts an example script into cells: at its own cell markers where it has them (`# %%`, or the long rules of hashes that
// galleries use), otherwise between the paragraphs of its top-level statements.
import { parseCell, placeOf, type Statement } from '@grus/python';

const marker = /^(# ?%%.*|#{20,}\s*)$/;

export function cellsOfScript(text: string): string[] {
  const lines = text.replace(/\r\n?/g, '\n').split('\n');
  const parts = lines.some((line) => marker.test(line)) ? atMarkers(lines) : atParagraphs(text, lines);
  return parts.map(withoutMargins).filter(isCode);
}

function atMarkers(lines: readonly string[]): string[][] {
  const parts: string[][] = [[]];
  for (const line of lines) {
    if (marker.test(line)) parts.push([]);
    else parts.at(-1)!.push(line);
  }
  return parts;
}

function atParagraphs(text: string, lines: readonly string[]): string[][] {
  const { body, problem } = parseCell(text);
  if (problem !== null) return [[...lines]];
  const parts: string[][] = [];
  let start = 0;
  body.forEach((statement, index) => {
    const next = body[index + 1];
    const end = lastLine(statement);
    const gap = next === undefined ? lines.length : blankLineIn(lines, end, firstLine(next) - 1);
    if (gap === null) return;
    parts.push(lines.slice(start, gap));
    start = gap;
  });
  return parts;
}

/** The first blank line from `from` up to `to`, both counted from 0 and `to` excluded; null without one. */
function blankLineIn(lines: readonly string[], from: number, to: number): number | null {
  for (let line = from; line < to; line += 1) if (lines[line]!.trim() === '') return line;
  return null;
}

function firstLine(statement: Statement): number {
  const decorators = 'decorator_list' in statement ? statement.decorator_list : [];
  return Math.min(placeOf(statement).line, ...decorators.map((decorator) => placeOf(decorator).line));
}

function lastLine(statement: Statement): number {
  return placeOf(statement).endLine;
}

function withoutMargins(lines: readonly string[]): string {
  return lines
    .join('\n')
    .replace(/^(\s*\n)+/, '')
    .trimEnd();
}

/** Whether anything but comments and a text on its own is in the cell. */
function isCode(source: string): boolean {
  const { body, problem } = parseCell(source);
  if (problem !== null) return true;
  return body.some((statement) => !isText(statement));
}

function isText(statement: Statement): boolean {
  return (
    statement.nodeType === 'Expr' && statement.value.nodeType === 'Constant' && statement.value.kind === 'str'
  );
}
