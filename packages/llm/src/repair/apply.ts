// Applies a proposed edit to a copy of the cell.
import type { Edit } from '@grus/core';
import type { Fix } from '../question/answer.js';

/** The edited source; null when the edit does not fit the cell or changes nothing. */
export function applyFix(source: string, { firstLine, lastLine, replacement }: Fix): string | null {
  const lines = source.replace(/\r\n?/g, '\n').split('\n');
  if (firstLine < 1 || lastLine < firstLine || lastLine > lines.length) return null;
  const before = lines.slice(firstLine - 1, lastLine);
  const fresh = withIndent(replacement.replace(/\r\n?/g, '\n').replace(/\n$/, ''), before[0] ?? '');
  const edited = [...lines.slice(0, firstLine - 1), ...fresh, ...lines.slice(lastLine)].join('\n');
  return edited.trim() === '' || edited === lines.join('\n') ? null : edited;
}

/** Models often drop the indent that all lines of a block share. */
function withIndent(replacement: string, first: string): string[] {
  const indent = /^\s*/.exec(first)![0];
  const lines = replacement.split('\n');
  const flush = /^\S/.test(lines[0] ?? '');
  return indent !== '' && flush ? lines.map((line) => (line === '' ? line : indent + line)) : lines;
}

export function editOf(source: string, fix: Fix, title: string): Edit {
  const lines = source.replace(/\r\n?/g, '\n').split('\n');
  const before = lines.slice(fix.firstLine - 1, fix.lastLine);
  return {
    place: {
      line: fix.firstLine,
      column: 0,
      endLine: fix.lastLine,
      endColumn: before.at(-1)?.length ?? 0,
    },
    replacement: withIndent(fix.replacement.replace(/\r\n?/g, '\n').replace(/\n$/, ''), before[0] ?? '').join(
      '\n',
    ),
    title,
  };
}
