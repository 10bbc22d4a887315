// Timestamps as loggers write them, read from the first bytes of a line. No zone means UTC: only differences matter.
import { isDigit } from '../bytes/characters.js';

const two = (bytes: Uint8Array, at: number): number => (bytes[at]! - 0x30) * 10 + (bytes[at + 1]! - 0x30);

let dayKey = 0;
let dayStart = 0;

/** Milliseconds since the epoch, or NaN. Reads `2025-02-20 11:18:36`, `2025-02-20T11:18:36.123Z`, with or without brackets. */
export function lineTime(bytes: Uint8Array, start: number, end: number): number {
  const last = Math.min(end - 19, start + 48);
  for (let at = start; at <= last; at++) {
    if (bytes[at] !== 0x32 || bytes[at + 1] !== 0x30 || bytes[at + 4] !== 0x2d || bytes[at + 7] !== 0x2d)
      continue;
    if (bytes[at + 13] !== 0x3a || bytes[at + 16] !== 0x3a || !isDigit(bytes[at + 18])) continue;
    const year = two(bytes, at) * 100 + two(bytes, at + 2);
    const month = two(bytes, at + 5);
    const day = two(bytes, at + 8);
    const key = year * 10_000 + month * 100 + day;
    if (key !== dayKey) {
      if (!(month >= 1 && month <= 12 && day >= 1 && day <= 31)) return Number.NaN;
      dayKey = key;
      dayStart = Date.UTC(year, month - 1, day);
    }
    let time =
      dayStart + two(bytes, at + 11) * 3_600_000 + two(bytes, at + 14) * 60_000 + two(bytes, at + 17) * 1000;
    const fraction = bytes[at + 19];
    if (
      (fraction === 0x2e || fraction === 0x2c) &&
      at + 22 < end &&
      isDigit(bytes[at + 20]) &&
      isDigit(bytes[at + 22])
    ) {
      time += two(bytes, at + 20) * 10 + (bytes[at + 22]! - 0x30);
    }
    return time;
  }
  return Number.NaN;
}
