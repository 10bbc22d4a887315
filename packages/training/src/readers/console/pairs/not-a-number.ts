// How logs spell what is no number: `nan`, `Infinity`, `.nan` of YAML, `NaN32` of Julia, `-1.#IND` of C on Windows.
import { sign, startsValue, textOf, word } from '../../bytes/characters.js';

export function startsNan(bytes: Buffer, at: number): boolean {
  return lower(bytes, at) === 0x6e && lower(bytes, at + 1) === 0x61 && lower(bytes, at + 2) === 0x6e;
}

/** The length of NaN or infinity in letters; 0 for every other word. */
export function spelledLength(bytes: Buffer, at: number, end: number): number {
  let length = startsNan(bytes, at) ? 3 : infinityLength(bytes, at, end);
  if (length > 0) length += precisionLength(bytes, at + length, end);
  const after = at + length;
  if (after > end || (after < end && word[bytes[after]!] === 1)) return 0;
  // `batch: nan=12` counts them.
  return after < end && bytes[after] === sign.equals ? 0 : length;
}

/** `infinity` is a value, `infinite` a word. */
function infinityLength(bytes: Buffer, at: number, end: number): number {
  if (lower(bytes, at + 1) !== 0x6e || lower(bytes, at + 2) !== 0x66) return 0;
  if (at + 8 > end || word[bytes[at + 3]!] === 0) return 3;
  return lower(bytes, at + 7) === 0x79 ? 8 : 0;
}

/** The length of what some languages write behind it: `NaN32`, `Inf16`, `NaNf0`. */
function precisionLength(bytes: Buffer, at: number, end: number): number {
  const two = at + 1 < end ? (bytes[at]! << 8) | bytes[at + 1]! : 0;
  return two === 0x3332 || two === 0x3136 || two === 0x6630 ? 2 : 0;
}

/** Whether a sign stands before it, or the point that YAML writes. */
export function isSigned(bytes: Buffer, at: number, start: number): boolean {
  if (at <= start) return false;
  const before = bytes[at - 1]!;
  return (
    before === sign.minus ||
    before === sign.plus ||
    (before === sign.point && at > start + 1 && startsValue(bytes[at - 2]!))
  );
}

const figure = /(?:^|[^A-Za-z])(?:min|max|mean|std|sum)[ =:]$/;

/** Whether what stands right before it is what it is the value of, whoever's figure that is. */
export function isOfFigure(bytes: Buffer, at: number, start: number): boolean {
  return figure.test(textOf(bytes, Math.max(start, at - 6), at));
}

/** `1.#QNAN`, `-1.#IND`, `1.#INF`: what stands for the number whose digits end at `at`; undefined for every other. */
export function fromWindows(bytes: Buffer, at: number, value: number): number | undefined {
  if (bytes[at] !== sign.point || bytes[at + 1] !== 0x23) return undefined;
  const isInfinite = lower(bytes, at + 3) === 0x6e && lower(bytes, at + 4) === 0x66;
  return isInfinite ? value * Number.POSITIVE_INFINITY : Number.NaN;
}

function lower(bytes: Buffer, at: number): number {
  return bytes[at]! | 0x20;
}
