// Finds the logical lines of a cell the way Python's tokenizer would, without failing on text that is not Python: magics
// are recognised only where IPython recognises them, never inside strings, brackets, comments or continued lines.

/** Offsets into the scanned text. */
export interface LogicalLine {
  /** The first token. */
  readonly start: number;
  /** Behind the last token; a comment is no token. */
  readonly end: number;
  /** Start of the next physical line, or the length of the text. */
  readonly next: number;
  /** The first plain `=` outside brackets, or -1. */
  readonly assignment: number;
  readonly hasComment: boolean;
}

/** Reads the logical line that begins at `from`, the start of a physical line. */
export function scanLogicalLine(text: string, from: number): LogicalLine {
  let position = from;
  while (position < text.length && ' \t\f'.includes(text[position]!)) position++;
  const start = position;
  let end = start;
  let depth = 0;
  let assignment = -1;
  let hasComment = false;
  while (position < text.length) {
    const char = text[position]!;
    if (char === '\n') {
      position++;
      if (depth === 0) break;
    } else if (char === '\\' && text[position + 1] === '\n') {
      position += 2;
    } else if (char === '#') {
      hasComment = true;
      while (position < text.length && text[position] !== '\n') position++;
    } else if (char === '"' || char === "'") {
      position = skipString(text, position);
      end = position;
    } else {
      if ('([{'.includes(char)) depth++;
      else if (')]}'.includes(char)) depth = Math.max(0, depth - 1);
      else if (char === '=' && depth === 0 && assignment < 0 && isPlainAssignment(text, position))
        assignment = position;
      position++;
      if (!/\s/.test(char)) end = position;
    }
  }
  return { start, end, next: position, assignment, hasComment };
}

function isPlainAssignment(text: string, at: number): boolean {
  if (text[at + 1] === '=') return false;
  return !'=!<>:+-*/%&|^@'.includes(text[at - 1] ?? ' ');
}

/** The offset behind the string literal whose quote stands at `at`; an unclosed one ends with its line or the text. */
function skipString(text: string, at: number): number {
  const quote = text[at]!;
  const triple = text.startsWith(quote.repeat(3), at);
  const closing = triple ? quote.repeat(3) : quote;
  let position = at + closing.length;
  while (position < text.length) {
    if (text[position] === '\\') position += 2;
    else if (text.startsWith(closing, position)) return position + closing.length;
    else if (!triple && text[position] === '\n') return position;
    else position++;
  }
  return text.length;
}
