// The units that stand behind numbers.
import { sign, word } from '../../bytes/characters.js';

export const unit = {
  none: 0,
  ms: 1,
  s: 2,
  percent: 3,
  kib: 4,
  mib: 5,
  gib: 6,
  perSecond: 7,
  perStep: 8,
  us: 9,
  digest: 10,
} as const;
export const unitNames = ['', 'ms', 's', '%', 'kib', 'mib', 'gib', 'it/s', 's/it', 'us', 'digest'] as const;

export function isTime(kind: number): boolean {
  return kind === unit.ms || kind === unit.s || kind === unit.us;
}

/** The unit that begins at `at`. A letter alone is none: see `sizeOf`. */
export function unitAt(bytes: Buffer, at: number, end: number): number {
  if (at >= end) return unit.none;
  const first = bytes[at]!;
  const second = at + 1 < end ? bytes[at + 1]! : sign.blank;
  const third = at + 2 < end ? bytes[at + 2]! : sign.blank;
  if (first === sign.percent) return unit.percent;
  if (first === 0x69 && second === 0x74 && third === sign.slash) return unit.perSecond;
  if (first === 0x73) {
    if (second === sign.slash && third === 0x69) return unit.perStep;
    return word[second] === 0 ? unit.s : unit.none;
  }
  if (second === 0x73 && word[third] === 0)
    return first === 0x6d ? unit.ms : first === 0x75 ? unit.us : unit.none;
  const size = sizeOf(first);
  const last = second === 0x69 ? at + 2 : at + 1;
  const isBytes = last < end && bytes[last] === 0x42 && (last + 1 >= end || word[bytes[last + 1]!] === 0);
  return isBytes ? size : unit.none;
}

/** `G`, `M` and `k`, with or without what follows them. */
export function sizeOf(byte: number): number {
  return byte === 0x47 ? unit.gib : byte === 0x4d ? unit.mib : (byte | 0x20) === 0x6b ? unit.kib : unit.none;
}
