// Decimal numbers read straight from bytes. Up to fifteen digits and powers of ten up to 22 are exact in doubles,
// so one multiplication rounds correctly; anything longer goes through JavaScript's own parser.
import { isDigit } from './characters.js';

const powers = Float64Array.from({ length: 23 }, (_, exponent) => 10 ** exponent);

/** Reads the number at `start`; the result's end is left in `numberEnd`, equal to `start` when there is none. */
export let numberEnd = 0;

export function readNumber(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  let negative = false;
  const sign = bytes[at];
  if (sign === 0x2d || sign === 0x2b) {
    negative = sign === 0x2d;
    at++;
  }
  const wholeAt = at;
  let mantissa = 0;
  let scale = 0;
  let byte = 0;
  for (; at < end; at++) {
    byte = bytes[at]!;
    if (byte < 0x30 || byte > 0x39) break;
    mantissa = mantissa * 10 + (byte - 0x30);
  }
  if (byte === 0x2c && at > wholeAt && at - wholeAt < 4) {
    const grouped = groupsEnd(bytes, wholeAt, at, end);
    for (; at < grouped; at++) if (bytes[at] !== 0x2c) mantissa = mantissa * 10 + (bytes[at]! - 0x30);
  }
  let isNumber = at > wholeAt;
  if (at + 1 < end && bytes[at] === 0x2e && isDigit(bytes[at + 1]!)) {
    const fractionAt = ++at;
    for (; at < end; at++) {
      byte = bytes[at]!;
      if (byte < 0x30 || byte > 0x39) break;
      mantissa = mantissa * 10 + (byte - 0x30);
    }
    scale = fractionAt - at;
    isNumber = true;
  }
  if (!isNumber) {
    numberEnd = start;
    return Number.NaN;
  }
  if (at + 1 < end && opensExponent(bytes[at]!, scale < 0)) {
    let exponentAt = at + 1;
    let exponentNegative = false;
    if (bytes[exponentAt] === 0x2d || bytes[exponentAt] === 0x2b) {
      exponentNegative = bytes[exponentAt] === 0x2d;
      exponentAt++;
    }
    const digitsAt = exponentAt;
    let exponent = 0;
    for (; exponentAt < end; exponentAt++) {
      byte = bytes[exponentAt]!;
      if (byte < 0x30 || byte > 0x39) break;
      if (exponent < 10_000) exponent = exponent * 10 + (byte - 0x30);
    }
    if (exponentAt > digitsAt) {
      scale += exponentNegative ? -exponent : exponent;
      at = exponentAt;
    }
  }
  numberEnd = at;
  if (mantissa >= 1e15 || scale > 22 || scale < -22) {
    return Number(
      Buffer.from(bytes.buffer, bytes.byteOffset + start, at - start)
        .toString('latin1')
        .replaceAll(',', '')
        .replace(/[df]/i, 'e'),
    );
  }
  const value = scale < 0 ? mantissa / powers[-scale]! : mantissa * powers[scale]!;
  return negative ? -value : value;
}

/** `1,048,576`: the end of the groups of three digits behind the first. None follow a zero or the seconds of a clock; a list goes on otherwise. */
function groupsEnd(bytes: Uint8Array, start: number, first: number, end: number): number {
  if (bytes[start] === 0x30 || first - start > 3 || first === start) return first;
  if (start > 1 && bytes[start - 1] === 0x3a && isDigit(bytes[start - 2]!)) return first;
  let at = first;
  while (
    at + 3 < end &&
    bytes[at] === 0x2c &&
    isDigit(bytes[at + 1]!) &&
    isDigit(bytes[at + 2]!) &&
    isDigit(bytes[at + 3]!)
  )
    at += 4;
  return at > first && at < end && isDigit(bytes[at]!) ? first : at;
}

/** Julia writes `2.5f-3` for what is of single precision, Fortran `2.5D-03` for what is of double. */
function opensExponent(byte: number, hasFraction: boolean): boolean {
  const lower = byte | 0x20;
  return lower === 0x65 || (hasFraction && (lower === 0x66 || lower === 0x64));
}

/** The end of an unsigned number at `start`, by the same rules as `readNumber`. */
export function skipNumber(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  while (at < end && isDigit(bytes[at]!)) at++;
  if (bytes[at] === 0x2c && at - start < 4) at = groupsEnd(bytes, start, at, end);
  const hasFraction = at + 1 < end && bytes[at] === 0x2e && isDigit(bytes[at + 1]!);
  if (hasFraction) {
    at++;
    while (at < end && isDigit(bytes[at]!)) at++;
  }
  if (at + 1 < end && opensExponent(bytes[at]!, hasFraction)) {
    let exponentAt = at + 1;
    if (bytes[exponentAt] === 0x2d || bytes[exponentAt] === 0x2b) exponentAt++;
    if (exponentAt < end && isDigit(bytes[exponentAt]!)) {
      at = exponentAt;
      while (at < end && isDigit(bytes[at]!)) at++;
    }
  }
  return at;
}

const withComma = /(?<=[\s:=;|]-?)(?:0,\d+|\d{1,3},(?:\d{1,2}|\d{4,}))(?=[\s;|%]|$)/gm;
const fewestCommas = 5;

/** Whether a text writes its fractions with a comma, as programs do that follow the customs of a country. */
export function hasDecimalCommas(text: string): boolean {
  const commas = text.match(withComma)?.length ?? 0;
  return commas >= fewestCommas && commas > 3 * (text.match(/\d\.\d/g)?.length ?? 0);
}

/** The same bytes with a point for each comma between two digits. */
export function withPoints(bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes);
  for (let at = copy.indexOf(0x2c); at >= 0; at = copy.indexOf(0x2c, at + 1))
    if (isDigit(copy[at - 1] ?? 0) && isDigit(copy[at + 1] ?? 0)) copy[at] = 0x2e;
  return copy;
}

/** A number as any of the tools spell it, from a string: "nan", "-inf", "Infinity", "1e-05", "'0.5'". Undefined when it is none. */
export function numberFromText(text: string): number | undefined {
  const trimmed = text.trim().replace(/^(['"])(.*)\1$/, '$2');
  if (trimmed === '') return undefined;
  const first = trimmed.charCodeAt(0);
  if ((first >= 0x30 && first <= 0x39) || first === 0x2d || first === 0x2b || first === 0x2e) {
    const value = Number(trimmed);
    if (!Number.isNaN(value)) return value;
  }
  switch (trimmed.toLowerCase()) {
    case 'nan':
    case '-nan':
    case '+nan':
    case 'nan(ind)':
    case '-nan(ind)':
      return Number.NaN;
    case 'inf':
    case '+inf':
    case 'infinity':
    case '+infinity':
      return Number.POSITIVE_INFINITY;
    case '-inf':
    case '-infinity':
      return Number.NEGATIVE_INFINITY;
    default:
      return undefined;
  }
}
