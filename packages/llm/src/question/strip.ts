// A cell without its comments, as in the study: what people say about their code is no evidence, and a favourite place
// for text that wants to talk to a model. Lines keep their numbers.
import { parseCell, placeOf, walk } from '@grus/python';

export function stripComments(source: string): string {
  const cell = parseCell(source);
  if (cell.foreign) return source;
  const { lines } = cell;
  if (cell.problem) return lines.map((line) => (/^\s*#/.test(line) ? '' : line.trimEnd())).join('\n');
  const strings = [...walk(cell.module)]
    .filter((node) => node.nodeType === 'JoinedStr' || (node.nodeType === 'Constant' && isText(node.value)))
    .map(placeOf);
  const inString = (line: number, column: number) =>
    strings.some(
      (place) =>
        (place.line < line || (place.line === line && place.column <= column)) &&
        (place.endLine > line || (place.endLine === line && place.endColumn > column)),
    );
  const magicLines = new Set(cell.magics.map((magic) => magic.line));
  return lines
    .map((line, index) => {
      if (magicLines.has(index + 1)) return line.trimEnd();
      for (let at = line.indexOf('#'); at !== -1; at = line.indexOf('#', at + 1))
        if (!inString(index + 1, at)) return line.slice(0, at).trimEnd();
      return line.trimEnd();
    })
    .join('\n');
}

function isText(value: unknown): boolean {
  return typeof value === 'string' || value instanceof Uint8Array;
}
