// Training logs repeat the same few lines with other numbers. A line understood once becomes a template: literal
// bytes with slots for numbers. Matching one costs a comparison per byte, several times less than reading afresh.

import type { Split } from '../../../record/split.js';
import { isDigit } from '../../bytes/characters.js';
import { numberEnd, readNumber, skipNumber } from '../../bytes/numbers.js';
import type { KeyInfo } from '../pairs/key-table.js';
import type { LinePairs, Opening } from '../pairs/line-pairs.js';

/** Bytes of a pattern that stand for more than themselves. */
const slot = 0;
const valueSlot = 1;
const spaces = 2;
const blocks = 3;
/** Instructions of a program beside those four: one literal byte, or four at once. */
const one = 4;
const four = 5;

const maxLength = 1500;
const maxSlots = 128;
const perBucket = 8;

interface Template {
  /** Pairs of instruction and argument. */
  readonly program: Int32Array;
  readonly keys: readonly KeyInfo[];
  readonly units: Uint8Array;
  readonly said: readonly (Split | null)[];
  readonly opens: Opening;
  readonly headed: string | null;
  /** By pair: the slot of its value, or -1 for a value spelled in letters (nan, inf), kept in `constants`. */
  readonly slots: Int16Array;
  readonly negative: Uint8Array;
  readonly constants: Float64Array;
  readonly fraction: number;
  readonly total: number;
  readonly fractionPair: number;
  readonly bracketed: number;
  readonly bar: number;
  readonly rate: number;
  readonly rateTurned: boolean;
  readonly hasTime: boolean;
  readonly hasRank: boolean;
}

const isSeparator = (byte: number): boolean => byte === 0x0a || byte === 0x0d || byte === 0x08;

export class LineTemplates {
  /** What the line matched last says beside its pairs. */
  hasTime = false;
  hasRank = false;
  private readonly buckets: Template[][] = Array.from({ length: 256 }, () => []);
  private readonly slotStarts = new Int32Array(maxSlots);
  private readonly slotValues = new Float64Array(maxSlots);
  private bytes: Buffer = Buffer.alloc(0);
  private data: DataView = new DataView(new ArrayBuffer(0));
  private hits = 0;
  private misses = 0;

  /** The end of the line when a template matches it up to its separator; its pairs are then in `pairs`. Else -1. */
  match(bytes: Buffer, start: number, end: number, pairs: LinePairs): number {
    if (bytes !== this.bytes) {
      this.bytes = bytes;
      this.data = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    }
    const { data } = this;
    const first = bytes[start]!;
    const bucket = this.buckets[isDigit(first) ? 0x30 : first]!;
    for (let index = 0; index < bucket.length; index++) {
      const template = bucket[index]!;
      const lineEnd = this.fits(template.program, bytes, data, start, end);
      if (lineEnd < 0) continue;
      if (index > 0) {
        bucket[index] = bucket[index - 1]!;
        bucket[index - 1] = template;
      }
      this.fill(template, pairs, start);
      this.hits++;
      return lineEnd;
    }
    return -1;
  }

  /** Remembers the line just scanned. Lines that never come back make learning rare. */
  learn(
    bytes: Buffer,
    start: number,
    end: number,
    pairs: LinePairs,
    facts: { hasTime: boolean; hasRank: boolean },
  ): void {
    this.misses++;
    if (end - start > maxLength || end === start) return;
    if (this.misses > 200 && this.hits < this.misses && this.misses % 32 !== 0) return;
    const made = buildTemplate(bytes, start, end, pairs, facts);
    if (made === null) return;
    const first = bytes[start]!;
    const bucket = this.buckets[isDigit(first) ? 0x30 : first]!;
    if (bucket.length >= perBucket) bucket.pop();
    bucket.unshift(made);
  }

  private fits(program: Int32Array, bytes: Buffer, data: DataView, start: number, end: number): number {
    let at = start;
    let slots = 0;
    for (let index = 0; index < program.length; index += 2) {
      const instruction = program[index]!;
      if (instruction === four) {
        if (at + 4 > end || data.getInt32(at, true) !== program[index + 1]) return -1;
        at += 4;
      } else if (instruction === one) {
        if (bytes[at] !== program[index + 1]) return -1;
        at++;
      } else if (instruction === valueSlot) {
        if (at >= end || !isDigit(bytes[at]!)) return -1;
        this.slotStarts[slots] = at;
        this.slotValues[slots++] = readNumber(bytes, at, end);
        at = numberEnd;
      } else if (instruction === slot) {
        if (at >= end || !isDigit(bytes[at]!)) return -1;
        this.slotStarts[slots++] = at;
        at = skipNumber(bytes, at, end);
      } else if (instruction === spaces) {
        if (bytes[at] !== 0x20) return -1;
        at++;
        while (at < end && bytes[at] === 0x20) at++;
      } else {
        const before = at;
        at = skipBlocks(bytes, at, end);
        if (at === before) return -1;
      }
    }
    return at < end && isSeparator(bytes[at]!) ? at : -1;
  }

  private fill(template: Template, pairs: LinePairs, start: number): void {
    pairs.clear();
    const { slotValues } = this;
    const count = template.keys.length;
    for (let pair = 0; pair < count; pair++) {
      const from = template.slots[pair]!;
      const value = from < 0 ? template.constants[pair]! : slotValues[from]!;
      pairs.keys[pair] = template.keys[pair]!;
      pairs.values[pair] = template.negative[pair] === 1 ? -value : value;
      pairs.units[pair] = template.units[pair]!;
      pairs.said[pair] = template.said[pair]!;
      // A value in letters stands somewhere behind the one before it.
      pairs.positions[pair] =
        from >= 0 ? this.slotStarts[from]! : pair > 0 ? pairs.positions[pair - 1]! : start;
    }
    pairs.count = count;
    pairs.opens = template.opens;
    pairs.headed = template.headed;
    if (template.fraction >= 0) {
      pairs.fraction = slotValues[template.fraction]!;
      pairs.total = slotValues[template.total]!;
      pairs.fractionPair = template.fractionPair;
    }
    if (template.bracketed >= 0) pairs.bracketed = slotValues[template.bracketed]!;
    if (template.bar >= 0) pairs.barAt = this.slotStarts[template.bar]!;
    if (template.rate >= 0) {
      const value = slotValues[template.rate]!;
      pairs.rate = template.rateTurned ? 1 / value : value;
    }
    this.hasTime = template.hasTime;
    this.hasRank = template.hasRank;
  }
}

function buildTemplate(
  bytes: Buffer,
  start: number,
  end: number,
  pairs: LinePairs,
  facts: { hasTime: boolean; hasRank: boolean },
): Template | null {
  const pattern: number[] = [];
  const slotOf = new Map<number, number>();
  const patternOf: number[] = [];
  let at = start;
  while (at < end) {
    const byte = bytes[at]!;
    const keyEnd = keyEndAt(pairs, at);
    if (keyEnd > at) {
      while (at < keyEnd) pattern.push(bytes[at++]!);
    } else if (isDigit(byte)) {
      if (patternOf.length >= maxSlots) return null;
      slotOf.set(at, patternOf.length);
      patternOf.push(pattern.length);
      pattern.push(slot);
      at = skipNumber(bytes, at, end);
    } else if (byte === 0x20 && paddedAt(bytes, at, end)) {
      pattern.push(spaces);
      while (at < end && bytes[at] === 0x20) at++;
    } else if (skipBlocks(bytes, at, end) > at) {
      pattern.push(blocks);
      at = skipBlocks(bytes, at, end);
    } else if (byte <= blocks) return null;
    else {
      pattern.push(byte);
      at++;
    }
  }
  const use = (position: number): number => {
    if (position < 0) return -1;
    const found = slotOf.get(position);
    if (found === undefined) return -1;
    pattern[patternOf[found]!] = valueSlot;
    return found;
  };
  const { count } = pairs;
  const slots = new Int16Array(count);
  const negative = new Uint8Array(count);
  for (let pair = 0; pair < count; pair++) {
    const position = pairs.positions[pair]!;
    slots[pair] = use(position);
    if (slots[pair]! < 0 && (bytes[position] === 0x2d || bytes[position] === 0x2b)) {
      slots[pair] = use(position + 1);
      if (slots[pair]! >= 0 && bytes[position] === 0x2d) negative[pair] = 1;
    }
    if (slots[pair]! < 0 && Number.isFinite(pairs.values[pair]!)) return null;
  }
  // Each use turns a number that is passed over into one that is read: all of them before the pattern is compiled.
  const read = {
    fraction: use(pairs.fractionAt),
    total: use(pairs.totalAt),
    bracketed: use(pairs.bracketedAt),
    bar: use(pairs.barAt),
    rate: use(pairs.rateAt),
  };
  return {
    program: compile(pattern),
    ...read,
    keys: pairs.keys.slice(0, count),
    units: pairs.units.slice(0, count),
    said: pairs.said.slice(0, count),
    opens: pairs.opens,
    headed: pairs.headed,
    slots,
    negative,
    constants: pairs.values.slice(0, count),
    fractionPair: pairs.fractionPair,
    rateTurned: pairs.rateTurned,
    ...facts,
  };
}

/** The end of the name that begins here; names are literal, digits and all. */
function keyEndAt(pairs: LinePairs, at: number): number {
  for (let pair = 0; pair < pairs.count; pair++)
    if (pairs.keyStarts[pair] === at) return pairs.keyEnds[pair]!;
  return -1;
}

/** Spaces before a number vary with its width; those between words do not. */
function paddedAt(bytes: Uint8Array, start: number, end: number): boolean {
  let at = start;
  while (at < end && bytes[at] === 0x20) at++;
  return at - start > 1 || (at < end && (isDigit(bytes[at]!) || bytes[at] === 0xe2));
}

function compile(pattern: readonly number[]): Int32Array {
  const program: number[] = [];
  for (let at = 0; at < pattern.length; ) {
    const byte = pattern[at]!;
    if (byte <= blocks) {
      program.push(byte, 0);
      at++;
    } else if (pattern.length - at >= 4 && pattern.slice(at, at + 4).every((next) => next > blocks)) {
      program.push(
        four,
        byte | (pattern[at + 1]! << 8) | (pattern[at + 2]! << 16) | (pattern[at + 3]! << 24),
      );
      at += 4;
    } else {
      program.push(one, byte);
      at++;
    }
  }
  return Int32Array.from(program);
}

/** The filled part of a progress bar: blocks and lines of U+2500 to U+25FF with spaces, or a run of `=`. */
function skipBlocks(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  if (bytes[at] === 0xe2) {
    while (at + 2 < end && bytes[at] === 0xe2 && bytes[at + 1]! >= 0x94 && bytes[at + 1]! <= 0x97) {
      at += 3;
      while (at < end && bytes[at] === 0x20) at++;
    }
  } else if (bytes[at] === 0x3d && bytes[at + 1] === 0x3d) {
    while (at < end && (bytes[at] === 0x3d || bytes[at] === 0x3e || bytes[at] === 0x2e)) at++;
  }
  return at;
}
