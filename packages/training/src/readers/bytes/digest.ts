// Checksums as logs print them: hexadecimal, and equal or not. Their first digits serve as a number.
import { isDigit, word } from './characters.js';

const least = 8;
const held = 12;

function hexOf(byte: number): number {
  if (isDigit(byte)) return byte - 0x30;
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}

/** Where the checksum read last ends. */
export let digestEnd = 0;

/** NaN unless a word of digits and letters up to f stands there, eight or more of them, with some of both. */
export function readDigest(bytes: Uint8Array, from: number, end: number): number {
  const isPrefixed = bytes[from] === 0x30 && bytes[from + 1] === 0x78;
  const start = isPrefixed ? from + 2 : from;
  let value = 0;
  let digits = 0;
  let at = start;
  for (; at < end; at++) {
    const hex = hexOf(bytes[at]!);
    if (hex < 0) break;
    if (hex < 10) digits++;
    if (at - start < held) value = value * 16 + hex;
  }
  const length = at - start;
  const isMixed = isPrefixed || (digits > 0 && digits < length);
  if (length < least || !isMixed || (at < end && word[bytes[at]!] === 1)) return Number.NaN;
  digestEnd = at;
  return value;
}

export function digestFromText(text: string): number | undefined {
  if (text.length < least || text.length > 130) return undefined;
  const bytes = Buffer.from(text, 'latin1');
  const value = readDigest(bytes, 0, bytes.length);
  return Number.isNaN(value) || digestEnd < bytes.length ? undefined : value;
}
