// Tokens of Python as far as redaction needs them: what is a name, a number, a string, a comment, an operator. It reads any
// text, in one pass, and never fails: what is none of these is `other`, and not told.

export type Token =
  | {
      readonly kind: 'name' | 'number' | 'operator' | 'space' | 'comment' | 'other';
      readonly text: string;
      readonly at: number;
    }
  | StringToken;

export interface StringToken {
  readonly kind: 'string';
  readonly text: string;
  readonly at: number;
  /** Lower case, without quotes: '', 'r', 'b', 'f', 'rb' … */
  readonly prefix: string;
  /** Texts and expressions of an f-string in order; of other strings one text. */
  readonly parts: readonly StringPart[];
}

/** `from` and `to` are offsets of the scanned text. */
export interface StringPart {
  readonly kind: 'text' | 'expression';
  readonly from: number;
  readonly to: number;
}

const operators = new Set('()[]{}:,;.+-*/%@&|^~<>=!\\'.split(''));

export function* lex(text: string, from = 0, to = text.length): Generator<Token> {
  let at = from;
  while (at < to) {
    const token = tokenAt(text, at, to);
    yield token;
    at += token.text.length;
  }
}

function tokenAt(text: string, at: number, to: number): Token {
  const char = text[at]!;
  const take = (kind: Exclude<Token['kind'], 'string'>, end: number): Token => ({
    kind,
    text: text.slice(at, Math.min(end, to)),
    at,
  });
  if (char === '#') return take('comment', lineEnd(text, at, to));
  if (char === '\n') return take('space', at + 1);
  if (char === ' ' || char === '\t') return take('space', runEnd(text, at, to, isBlank));
  if (isDigit(char) || (char === '.' && isDigit(text[at + 1] ?? '')))
    return take('number', numberEnd(text, at, to));
  if (isNameStart(char)) {
    const end = runEnd(text, at, to, isNamePart);
    const prefix = text.slice(at, end).toLowerCase();
    const quote = text[end];
    if ((quote === '"' || quote === "'") && end < to && /^(?:[rbfut]|[rbft][rbft])$/.test(prefix))
      return stringAt(text, at, end, to);
    return take('name', end);
  }
  if (char === '"' || char === "'") return stringAt(text, at, at, to);
  return take(operators.has(char) ? 'operator' : 'other', at + 1);
}

function stringAt(text: string, at: number, quoteAt: number, to: number): StringToken {
  const prefix = text.slice(at, quoteAt).toLowerCase();
  const mark = text[quoteAt]!;
  const triple = text[quoteAt + 1] === mark && text[quoteAt + 2] === mark;
  const closing = triple ? mark.repeat(3) : mark;
  const formatted = prefix.includes('f') || prefix.includes('t');
  const parts: StringPart[] = [];
  let start = quoteAt + closing.length;
  let position = start;
  const flush = (end: number) => {
    if (end > start) parts.push({ kind: 'text', from: start, to: end });
  };
  while (position < to) {
    const char = text[position]!;
    if (text.startsWith(closing, position)) {
      flush(position);
      return { kind: 'string', text: text.slice(at, position + closing.length), at, prefix, parts };
    }
    if (!triple && char === '\n') break;
    if (char === '\\' && !(formatted && prefix.includes('r'))) position += 2;
    else if (formatted && char === '{' && text[position + 1] !== '{') {
      const end = expressionEnd(text, position + 1, triple ? to : lineEnd(text, position, to));
      flush(position);
      parts.push({ kind: 'expression', from: position + 1, to: end });
      position = end + 1;
      start = position;
    } else position += formatted && char === '{' ? 2 : 1;
  }
  // Unclosed: all that is left of the line, or of the text, belongs to it.
  const end = Math.min(position, to);
  flush(end);
  return { kind: 'string', text: text.slice(at, end), at, prefix, parts };
}

/** Where the braces of an f-string close; strings inside may hold braces of their own. */
function expressionEnd(text: string, from: number, to: number): number {
  let depth = 0;
  let at = from;
  while (at < to) {
    const char = text[at]!;
    if (char === '}' && depth === 0) return at;
    if (char === '"' || char === "'") {
      at += Math.max(1, stringAt(text, at, at, to).text.length);
      continue;
    }
    if ('([{'.includes(char)) depth += 1;
    else if (')]}'.includes(char)) depth -= 1;
    at += 1;
  }
  return to;
}

function numberEnd(text: string, at: number, to: number): number {
  let end = at;
  while (end < to && (isNamePart(text[end]!) || text[end] === '.')) {
    const exponent = /[eE]/.test(text[end]!) && !/^0[xX]/.test(text.slice(at, at + 2));
    end += exponent && /[+-]/.test(text[end + 1] ?? '') ? 2 : 1;
  }
  return end;
}

function lineEnd(text: string, at: number, to: number): number {
  const end = text.indexOf('\n', at);
  return end === -1 || end > to ? to : end;
}

function runEnd(text: string, at: number, to: number, belongs: (char: string) => boolean): number {
  let end = at + 1;
  while (end < to && belongs(text[end]!)) end += 1;
  return end;
}

const isBlank = (char: string) => char === ' ' || char === '\t';
const isDigit = (char: string) => char >= '0' && char <= '9';
const isNameStart = (char: string) =>
  /[A-Za-z_]/.test(char) || (char > '\u007f' && /[\p{L}\p{Nl}]/u.test(char));
const isNamePart = (char: string) =>
  isNameStart(char) || isDigit(char) || (char > '\u007f' && /[\p{M}\p{Nd}]/u.test(char));
