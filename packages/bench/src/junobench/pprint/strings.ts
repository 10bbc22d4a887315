// String literals of Python: the prefix and quotes, and the escapes inside.

export function unquotePrefix(text: string, at: number): { raw: boolean; quote: string; length: number } {
  const match = /^([rRbBuUfF]{0,2})('''|"""|'|")/.exec(text.slice(at, at + 5));
  const prefix = match?.[1] ?? '';
  const quote = match?.[2] ?? text[at]!;
  return { raw: /r/i.test(prefix), quote, length: prefix.length + quote.length };
}

const simple: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  a: '\x07',
  b: '\b',
  f: '\f',
  v: '\v',
  '\\': '\\',
  "'": "'",
  '"': '"',
  '\n': '',
};

const escapeSequence = /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-7]{1,3})|([\s\S]))/g;

export function readEscapes(body: string): string {
  return body.replace(escapeSequence, (whole, x, u, long, octal, single) => {
    const hex: string | undefined = x ?? u ?? long;
    if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16));
    if (octal !== undefined) return String.fromCodePoint(Number.parseInt(octal, 8));
    return simple[single as string] ?? whole;
  });
}
