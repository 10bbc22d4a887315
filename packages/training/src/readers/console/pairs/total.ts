// The total behind a number: `307/938`, `3 / 40`.

import { digit, sign, word } from '../../bytes/characters.js';
import { numberEnd, readNumber } from '../../bytes/numbers.js';

/** Where the total read last stands. */
export let totalAt = 0;
export let totalEnd = 0;

/** NaN unless a slash and a number follow. */
export function readTotal(bytes: Buffer, next: number, end: number): number {
  let over = next;
  while (over < end && bytes[over] === sign.blank && over - next < 2) over++;
  if (over >= end || bytes[over] !== sign.slash) return Number.NaN;
  let at = over + 1;
  while (at < end && bytes[at] === sign.blank && at - over < 10) at++;
  if (at >= end || digit[bytes[at]!] === 0) return Number.NaN;
  const total = readNumber(bytes, at, end);
  totalAt = at;
  totalEnd = numberEnd;
  return total;
}

/** `17/03/2024`, `logs/2/run`, and `03/17` with `02:26:11` behind it. */
export function isDateOrPath(bytes: Buffer, at: number, end: number): boolean {
  if (at < end && (word[bytes[at]!] === 1 || bytes[at] === sign.slash)) return true;
  const clock = at + 1;
  return (
    clock + 3 < end &&
    digit[bytes[clock]!] === 1 &&
    digit[bytes[clock + 1]!] === 1 &&
    bytes[clock + 2] === sign.colon
  );
}
