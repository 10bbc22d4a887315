// A model's proposal as an edit of the cell: whole lines, with the indent that they had.
import type { Edit } from '@grus/core';
import type { Fix } from '../question/answer.js';
import { cleanText } from '../question/clean.js';

/** Null when the proposal names lines that the cell does not have. */
export function editOf(source: string, { firstLine, lastLine, replacement }: Fix): Edit | null {
  const lines = source.replace(/\r\n?/g, '\n').split('\n');
  if (firstLine < 1 || lastLine < firstLine || lastLine > lines.length) return null;
  const before = lines.slice(firstLine - 1, lastLine);
  const fresh = withIndent(replacement.replace(/\r\n?/g, '\n').replace(/\n$/, ''), before[0] ?? '');
  const where = firstLine === lastLine ? `line ${firstLine}` : `lines ${firstLine}–${lastLine}`;
  return {
    place: { line: firstLine, column: 0, endLine: lastLine, endColumn: before.at(-1)?.length ?? 0 },
    replacement: fresh,
    title: `Replace ${where} by: ${cleanText(replacement, 200)}`,
  };
}

/** Models often drop the indent that all lines of a block share. */
function withIndent(replacement: string, first: string): string {
  const indent = /^\s*/.exec(first)![0];
  const flush = /^\S/.test(replacement);
  return indent !== '' && flush ? replacement.replace(/^(?=.)/gm, indent) : replacement;
}
