// The bytes of a line by what they are: digits, letters of any script, blanks. Text is UTF-8.

const digits = '0123456789';
export const wordCharacters = `${digits}ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz`;

/** 1 at each of the characters. */
export function bytesOf(characters: string): Uint8Array {
  const table = new Uint8Array(256);
  for (let at = 0; at < characters.length; at++) table[characters.charCodeAt(at)] = 1;
  return table;
}

/** Nothing is no digit: a byte beyond the end. */
export function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39;
}

export const digit = bytesOf(digits);
export const word = bytesOf(wordCharacters);

export const sign = {
  tab: 0x09,
  blank: 0x20,
  doubleQuote: 0x22,
  percent: 0x25,
  apostrophe: 0x27,
  opening: 0x28,
  closing: 0x29,
  plus: 0x2b,
  minus: 0x2d,
  point: 0x2e,
  slash: 0x2f,
  colon: 0x3a,
  equals: 0x3d,
  openingBracket: 0x5b,
  closingBracket: 0x5d,
  underscore: 0x5f,
  openingBrace: 0x7b,
  bar: 0x7c,
} as const;

/**
 * Where the letter of another script begins whose last byte stands at `at`: of Latin with accents to Cyrillic, of kana, Han and Hangul. -1 for every
 * other sign, such as a full stop or colon of full width, a line of a box and a block of a bar.
 */
export function letterStart(bytes: Buffer, at: number, floor: number): number {
  let from = at;
  while (from > floor && at - from < 2 && (bytes[from]! & 0xc0) === 0x80) from--;
  const lead = bytes[from]!;
  if (at - from === 1) return lead >= 0xc3 && lead <= 0xd4 ? from : -1;
  if (at - from !== 2) return -1;
  if (lead === 0xe3) return bytes[from + 1]! >= 0x81 && bytes[from + 1]! <= 0x83 ? from : -1;
  return lead >= 0xe4 && lead <= 0xed ? from : -1;
}

/** A point and a digit. */
export function isFraction(bytes: Buffer, at: number, end: number): boolean {
  return bytes[at] === sign.point && at + 1 < end && digit[bytes[at + 1]!] === 1;
}

/** A blank, `:` or `=` stands before a value. */
export function startsValue(byte: number): boolean {
  return byte === sign.blank || byte === sign.tab || byte === sign.colon || byte === sign.equals;
}

export function hasPoint(bytes: Buffer, from: number, to: number): boolean {
  return has(bytes, sign.point, from, to);
}

export function has(bytes: Buffer, byte: number, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (bytes[at] === byte) return true;
  return false;
}

export function pastBlanks(bytes: Buffer, from: number, end: number): number {
  let at = from;
  while (at < end && bytes[at] === sign.blank) at++;
  return at;
}

/** The last byte before blanks and quotes that end at `from`; as many as stand in columns are passed over. */
export function beforeBlanks(bytes: Buffer, from: number, start: number): number {
  let at = from;
  const floor = Math.max(start, from - 24);
  while (
    at >= floor &&
    (bytes[at] === sign.blank ||
      bytes[at] === sign.apostrophe ||
      bytes[at] === sign.doubleQuote ||
      bytes[at] === sign.tab)
  )
    at--;
  return at;
}

/** Where the letters, digits and underscores begin that end before `end`. */
export function wordStart(bytes: Buffer, end: number, floor: number): number {
  let from = end;
  while (from > floor && word[bytes[from - 1]!] === 1) from--;
  return from;
}

export function textOf(bytes: Buffer, from: number, to: number): string {
  return bytes.toString('latin1', from, to);
}
