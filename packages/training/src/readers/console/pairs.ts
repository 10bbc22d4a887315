// Finds `name number` pairs in a line of bytes: `loss: 2.1`, `lr=1e-4`, `| lm loss: 6.6E+00 |`, `iter 100`,
// `'grad_norm': 'nan'`, `307/938`. One hand-written pass serves every console format, known or not.

import { isMemory, type MetricName } from '../../record/metrics.js';
import type { Split } from '../../record/split.js';
import { digestEnd, readDigest } from '../bytes/digest.js';
import { numberEnd, readNumber } from '../bytes/numbers.js';
import { averageOf, type KeyInfo, KeyTable } from './key-table.js';
import type { Opening } from './opening.js';

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

const maxPairs = 96;
const maxKey = 56;

const digits = '0123456789';
const words = `${digits}ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz`;
const digit = bytesOf(digits);
const word = bytesOf(words);
const keyByte = bytesOf(`${words}/.@()%-`);

/** 1 at each of the characters. */
function bytesOf(characters: string): Uint8Array {
  const table = new Uint8Array(256);
  for (let at = 0; at < characters.length; at++) table[characters.charCodeAt(at)] = 1;
  return table;
}

/**
 * Where the letter of another script begins whose last byte stands at `at`: of Latin with accents to Cyrillic, of kana, Han and Hangul. -1 for every
 * other sign, such as a full stop or colon of full width, a line of a box and a block of a bar.
 */
function letterStart(bytes: Uint8Array, at: number, floor: number): number {
  let from = at;
  while (from > floor && at - from < 2 && (bytes[from]! & 0xc0) === 0x80) from--;
  const lead = bytes[from]!;
  if (at - from === 1) return lead >= 0xc3 && lead <= 0xd4 ? from : -1;
  if (at - from !== 2) return -1;
  if (lead === 0xe3) return bytes[from + 1]! >= 0x81 && bytes[from + 1]! <= 0x83 ? from : -1;
  return lead >= 0xe4 && lead <= 0xed ? from : -1;
}

/** A colon or an equals sign of full width that ends at `at`. */
function isWideSign(bytes: Uint8Array, at: number): boolean {
  return bytes[at - 2] === 0xef && bytes[at - 1] === 0xbc && (bytes[at] === 0x9a || bytes[at] === 0x9d);
}

/** A point and a digit. */
function isFraction(bytes: Uint8Array, at: number, end: number): boolean {
  return bytes[at] === 0x2e && at + 1 < end && digit[bytes[at + 1]!] === 1;
}

/** A blank, `:` or `=` stands before a value. */
function startsValue(byte: number): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x3a || byte === 0x3d;
}

/** `loss=[2.1]`, `loss: [2.1]`: the bracket of an array of one. `Epoch: [3]` counts. */
function opensValue(bytes: Uint8Array, at: number, start: number, value: number): boolean {
  if (at <= start || bytes[at] !== 0x5b) return false;
  if (bytes[at - 1] === 0x3d) return true;
  const before = skipBlank(bytes, at - 1, start);
  return before >= start && bytes[before] === 0x3a && !Number.isInteger(value);
}

/** The pairs of the line scanned last. Reused from line to line. */
export class PairScanner {
  /** Holds `count` names; what lies beyond is of earlier lines. */
  readonly keys: KeyInfo[] = new Array<KeyInfo>(maxPairs);
  readonly values = new Float64Array(maxPairs);
  readonly units = new Uint8Array(maxPairs);
  /** The part of the data that the line says each is of, apart from the names. */
  readonly said = new Array<Split | null>(maxPairs).fill(null);
  /** Of which data a line without measures says that those below it are. */
  opens: Opening = null;
  /** What words before the parts of the data say is told of each: `Loss at epoch 3: training: 0.7, validation: 0.9`. */
  headed: string | null = null;
  /** Where each value stands, its sign included. */
  readonly positions = new Int32Array(maxPairs);
  /** Where each name stands: its digits belong to it. */
  readonly keyStarts = new Int32Array(maxPairs);
  readonly keyEnds = new Int32Array(maxPairs);
  count = 0;
  /** A `n/m` in the line, NaN without one: of a progress bar, a batch counter, or a keyed one. */
  fraction = Number.NaN;
  total = Number.NaN;
  /** The pair that the fraction is the value of; -1 when it has no name. */
  fractionPair = -1;
  /** `[3]` before `[20/40]`, as mmengine counts epochs. */
  bracketed = Number.NaN;
  /** Of a line that was scanned: the total of the count around that fraction, `[3/25]` before `[20/40]`; NaN without one. */
  outer = Number.NaN;
  /** Where the percentage of a progress bar stands; -1 without one. */
  barAt = -1;
  /** Whether a checksum stands in the line: no line like it has the same. */
  hasDigest = false;
  /** `it/s`, or `s/it` turned over; NaN without one. */
  rate = Number.NaN;
  /** Whether the rate was printed as seconds per step. */
  rateTurned = false;
  fractionAt = -1;
  totalAt = -1;
  bracketedAt = -1;
  rateAt = -1;

  /** Of how many ranks each line says to be of one: `(2/4)` before anything else is no counter then. */
  markedSize: number | null = null;

  constructor(readonly table: KeyTable = new KeyTable()) {}

  clear(): void {
    this.takenUntil = 0;
    this.heading = '';
    this.count = 0;
    this.hasDigest = false;
    this.counts = false;
    this.isMarked = false;
    this.deferred = null;
    this.fraction = Number.NaN;
    this.total = Number.NaN;
    this.fractionPair = -1;
    this.bracketed = Number.NaN;
    this.outer = Number.NaN;
    this.barAt = -1;
    this.rate = Number.NaN;
    this.fractionAt = -1;
    this.totalAt = -1;
    this.bracketedAt = -1;
    this.rateAt = -1;
  }

  scan(bytes: Uint8Array, start: number, end: number): void {
    this.clear();
    let first = true;
    let at = start;
    while (at < end) {
      const byte = bytes[at]!;
      if (word[byte] === 1 && this.counts) {
        const digest = readDigest(bytes, at, end);
        if (!Number.isNaN(digest)) {
          const next = digestEnd;
          this.pair(bytes, start, at, digest, unit.digest);
          this.hasDigest = true;
          this.takenUntil = next;
          at = next;
          continue;
        }
      }
      if (digit[byte] === 1) {
        at = this.number(bytes, start, at, end);
        continue;
      }
      if (word[byte] === 1) {
        const lower = byte | 0x20;
        if ((lower === 0x6e || lower === 0x69) && this.special(bytes, start, at, end)) {
          at = this.specialEnd;
          continue;
        }
        const from = at++;
        if (first) while (at < end && word[bytes[at]!] === 1 && digit[bytes[at]!] === 0) at++;
        // `E100/500`, `ep012`: a counter at the head of its line, without a blank.
        if (!(first && digit[bytes[at] ?? 0] === 1 && isCounter(bytes, from, at)))
          while (at < end && word[bytes[at]!] === 1) at++;
        first = false;
        const glued = gluedAt(bytes, from, at, end);
        if (glued > 0) at = glued;
        continue;
      }
      if (
        (byte === 0x2d || byte === 0x2b) &&
        at + 1 < end &&
        (at === start || word[bytes[at - 1]!] === 0) &&
        (digit[bytes[at + 1]!] === 1 || isFraction(bytes, at + 1, end))
      ) {
        at = this.number(bytes, start, at, end);
        continue;
      }
      // Some languages print no zero before the point: `d_loss .0213`.
      if (byte === 0x2e && isFraction(bytes, at, end) && at > start && startsValue(bytes[at - 1]!)) {
        at = this.number(bytes, start, at, end);
        continue;
      }
      at++;
    }
  }

  /** Whether a counter of steps was met: only behind one a word of hexadecimal digits is a value. */
  private counts = false;
  private specialEnd = 0;
  private isMarked = false;
  /** Where the last NaN or infinity that has a name ends. */
  private takenUntil = 0;

  /** `nan`, `inf`, `infinity` as a value. */
  private special(bytes: Uint8Array, start: number, at: number, end: number): boolean {
    const second = bytes[at + 1]! | 0x20;
    const third = bytes[at + 2]! | 0x20;
    let length = 0;
    let value = Number.NaN;
    if ((bytes[at]! | 0x20) === 0x6e && second === 0x61 && third === 0x6e) length = 3;
    else if (second === 0x6e && third === 0x66) {
      value = Number.POSITIVE_INFINITY;
      // `infinity` is a value, `infinite` a word.
      length = at + 8 <= end && word[bytes[at + 3]!] === 1 ? ((bytes[at + 7]! | 0x20) === 0x79 ? 8 : 0) : 3;
    }
    if (length > 0) length += precisionAt(bytes, at + length, end);
    if (length === 0 || at + length > end || (at + length < end && word[bytes[at + length]!] === 1))
      return false;
    // `batch: nan=12` counts them.
    if (at + length < end && bytes[at + length] === 0x3d) return false;
    // YAML writes `.nan`.
    const negative = at > start && bytes[at - 1] === 0x2d;
    const signed =
      negative ||
      (at > start && bytes[at - 1] === 0x2b) ||
      (at > start + 1 && bytes[at - 1] === 0x2e && startsValue(bytes[at - 2]!));
    this.specialEnd = at + length;
    const before = this.count;
    this.valueEnd = this.specialEnd;
    this.pair(bytes, start, signed ? at - 1 : at, negative ? -value : value, unit.none);
    if (this.count === before) return true;
    // Unlike a number, `nan` could be a word of the next name: `loss=nan grad_norm=2.1`.
    this.takenUntil = this.specialEnd;
    const info = this.keys[before]!;
    if (info.role === 'metric') this.specialEnd = this.average(info, unit.none, bytes, this.specialEnd, end);
    return true;
  }

  private number(bytes: Uint8Array, start: number, at: number, end: number): number {
    let value = readNumber(bytes, at, end);
    let next = numberEnd;
    if (next === at) return at + 1;
    if (bytes[next] === 0x2e && bytes[next + 1] === 0x23) {
      // How C on Windows writes what is no number: `1.#QNAN`, `-1.#IND`, `1.#INF`.
      value =
        (bytes[next + 3]! | 0x20) === 0x6e && (bytes[next + 4]! | 0x20) === 0x66
          ? value * Number.POSITIVE_INFINITY
          : Number.NaN;
      next += 2;
      while (next < end && word[bytes[next]!] === 1) next++;
      this.pair(bytes, start, at, value, unit.none);
      return next;
    }
    this.valueEnd = next;
    if (at > start && bytes[at - 1]! >= 0x80 && this.ordinal(bytes, start, at, next, value)) return next + 3;
    const following = next < end ? bytes[next]! : 0;
    if (following === 0x3a && next + 1 < end && digit[bytes[next + 1]!] === 1)
      return skipWhile(bytes, next, end, 0x3a);
    if (following === 0x2d && next + 1 < end && digit[bytes[next + 1]!] === 1)
      return skipWhile(bytes, next, end, 0x2d);
    if (following === 0x2e && next + 1 < end && digit[bytes[next + 1]!] === 1)
      return skipWhile(bytes, next, end, 0x2e);

    let over = next;
    while (over < end && bytes[over] === 0x20 && over - next < 2) over++;
    if (over < end && bytes[over] === slash) {
      let after = over + 1;
      while (after < end && bytes[after] === 0x20 && after - over < 10) after++;
      if (after < end && digit[bytes[after]!] === 1) {
        const total = readNumber(bytes, after, end);
        const afterTotal = numberEnd;
        if (afterTotal >= end || (word[bytes[afterTotal]!] === 0 && bytes[afterTotal] !== 0x2f)) {
          if (isClock(bytes, afterTotal + 1, end)) return afterTotal;
          if (total === this.markedSize && !this.isMarked && Number.isNaN(this.fraction)) {
            this.isMarked = true;
            return afterTotal;
          }
          const before = this.count;
          this.pair(bytes, start, at, value, unit.none);
          const isShare = bytes[at - 1] === 0x28 && bytes[skipBlank(bytes, at - 2, start)] === 0x25;
          const own = this.count > before ? this.keys[before]! : null;
          const isInner = !isShare && this.isInner(own, bytes, at);
          if (isInner && own?.role !== 'epoch') {
            this.bracketed = this.fraction;
            this.bracketedAt = this.fractionAt;
            this.outer = this.total;
          }
          if ((Number.isNaN(this.fraction) || isInner) && total >= 1 && Number.isInteger(total) && !isShare) {
            this.fraction = value;
            this.total = total;
            this.fractionAt = at;
            this.totalAt = after;
            this.fractionPair = this.count > before ? before : -1;
          }
          return afterTotal;
        }
        return afterTotal;
      }
    }

    let kind: number = unit.none;
    if (following === 0x25) {
      kind = unit.percent;
      next++;
      if (next < end && bytes[next] === 0x7c) {
        this.barAt = at;
        return next;
      }
    } else if (following === 0x20 && bytes[next + 1] === 0x25 && next + 1 < end) {
      kind = unit.percent;
      next += 2;
    } else if (word[following] === 1 || following === 0x20) {
      kind = this.unitAt(bytes, following === 0x20 ? next + 1 : next, end);
      const letter = kind === unit.none && (next + 1 >= end || word[bytes[next + 1]!] === 0);
      const size = letter ? sizeOf(following) : unit.none;
      if (size !== unit.none) {
        this.pair(bytes, start, at, value, size, true);
        return next + 1;
      }
      if (kind === unit.none && word[following] === 1) {
        while (next < end && word[bytes[next]!] === 1) next++;
        return next;
      }
      if (kind === unit.perSecond || kind === unit.perStep) {
        this.rateTurned = kind === unit.perStep;
        this.rate = this.rateTurned ? 1 / value : value;
        this.rateAt = at;
        return next + 4;
      }
    }
    // `[module.py:68]` is where a logger was called from.
    if (following === 0x5d && at > start && bytes[at - 1] === 0x3a) return next + 1;
    if (
      following === 0x5d &&
      at > start &&
      bytes[at - 1] === 0x5b &&
      !opensValue(bytes, at - 1, start, value) &&
      Number.isNaN(this.bracketed)
    ) {
      this.bracketed = value;
      this.bracketedAt = at;
      return next + 1;
    }
    const before = this.count;
    this.pair(bytes, start, at, value, kind);
    if (this.count === before) return next;
    const info = this.keys[before]!;
    if (info.role !== 'metric') return next;
    if (!info.separated && Number.isInteger(value) && this.isCounterOf(info, bytes, at, next, end))
      return next;
    return this.average(info, kind, bytes, next, end);
  }

  /** `Epoch [1/25], Step [20/40]`, `fold 2/5 epoch 1/25`: of two counts before anything is measured the second is within the first. */
  private isInner(own: KeyInfo | null, bytes: Uint8Array, at: number): boolean {
    if (Number.isNaN(this.fraction) || this.barAt >= 0 || at - this.totalAt > longestHeading) return false;
    const between = String.fromCharCode(...bytes.subarray(this.totalAt, at));
    if (own?.role !== 'epoch' && !ofBatches.test(between)) return false;
    if (own !== null && own.role !== 'epoch' && !(own.role === 'step' && own.priority <= 1)) return false;
    for (let pair = 0; pair < this.count; pair++) {
      const { role } = this.keys[pair]!;
      if (role === 'metric' || role === 'split' || (role === 'step' && this.keys[pair] !== own)) return false;
    }
    return own?.role !== 'epoch' || this.fractionPair < 0;
  }

  /** `第12轮`: the counter stands behind its number. */
  private ordinal(bytes: Uint8Array, start: number, at: number, next: number, value: number): boolean {
    if (at - start < 3 || bytes[at - 1] !== 0xac || bytes[at - 2] !== 0xac || bytes[at - 3] !== 0xe7)
      return false;
    if (letterStart(bytes, next + 2, next) !== next) return false;
    const info = this.table.find(bytes, next, next + 3, true);
    if (info === null || (info.role !== 'epoch' && info.role !== 'step')) return false;
    this.keep(info, at, value, unit.none, next, next + 3);
    return true;
  }

  /** `Train loss 1025 0.544`, `Validation loss 975:  0.745`: the whole number between a loss and its value counts. */
  private isCounterOf(info: KeyInfo, bytes: Uint8Array, at: number, next: number, end: number): boolean {
    if (this.counts || info.identity.metric !== 'loss') return false;
    const value = skipForward(bytes, bytes[next] === 0x3a ? next + 1 : next, end);
    if (value === next || value - next > 4 || bytes.subarray(at, next).includes(0x2e)) return false;
    readNumber(bytes, value, end);
    if (!startsNan(bytes, value) && !bytes.subarray(value, numberEnd).includes(0x2e)) return false;
    const counter = Buffer.from('iteration');
    this.keys[this.count - 1] = this.table.find(counter, 0, counter.length, true)!;
    this.counts = true;
    this.deferred = info;
    this.deferredTo = value;
    return true;
  }

  /** `Loss 0.52 (0.61)`, `acc1: 71.2 (70.8)`: what follows a value in brackets is the average up to it. */
  private average(info: KeyInfo, kind: number, bytes: Uint8Array, next: number, end: number): number {
    const open = skipForward(bytes, next, end);
    if (
      bytes[open] !== 0x28 ||
      open - next > 2 ||
      this.count >= maxPairs ||
      !measured.has(info.identity.metric)
    )
      return next;
    const at = skipForward(bytes, open + 1, end);
    if (startsNan(bytes, at) && bytes[at + 3] === 0x29) {
      this.keep(averageOf(info), at, Number.NaN, kind, at, at);
      return at + 4;
    }
    if (digit[bytes[at] ?? 0] !== 1 && !(bytes[at] === 0x2d && this.values[this.count - 1]! < 0)) return next;
    const value = readNumber(bytes, at, end);
    const close = bytes[numberEnd] === 0x25 ? numberEnd + 1 : numberEnd;
    if (bytes[close] !== 0x29 || !bytes.subarray(at, numberEnd).includes(0x2e)) return next;
    this.keep(averageOf(info), at, value, kind, at, at);
    return close;
  }

  private valueEnd = 0;
  /** The name that the number there is the value of. */
  private deferred: KeyInfo | null = null;
  private deferredTo = -1;

  private unitAt(bytes: Uint8Array, at: number, end: number): number {
    const first = at < end ? bytes[at]! : 0;
    const second = at + 1 < end ? bytes[at + 1]! : 0;
    const third = at + 2 < end ? bytes[at + 2]! : 0;
    const ends = (position: number): boolean => position >= end || word[bytes[position]!] === 0;
    if (first === 0x6d && second === 0x73 && ends(at + 2)) return unit.ms;
    if (first === 0x75 && second === 0x73 && ends(at + 2)) return unit.us;
    if (first === 0x69 && second === 0x74 && third === 0x2f) return unit.perSecond;
    if (first === 0x73 && second === 0x2f && third === 0x69) return unit.perStep;
    if (first === 0x73 && ends(at + 1)) return unit.s;
    const scale = sizeOf(first);
    if (scale !== unit.none) {
      if (second === 0x42 && ends(at + 2)) return scale;
      if (second === 0x69 && third === 0x42 && ends(at + 3)) return scale;
    }
    return unit.none;
  }

  /** What stands once before the names that follow it: `grad L2: fc1=5.9e-10 fc2=…`, `x: nan=0 min=-4`, `dead h1 0.4 h2 0.5`. */
  private heading = '';

  /** A name that says nothing by itself, read together with the heading before it. */
  private underHeading(
    own: KeyInfo | null,
    bytes: Uint8Array,
    start: number,
    keyStart: number,
    keyEnd: number,
  ): KeyInfo | null {
    const stated = headingBefore(bytes, start, keyStart);
    if (stated !== '') this.heading = stated;
    const known = own !== null && own.role === 'metric' && own.identity.metric !== 'other';
    const opens = known && own.identity.subject !== null && ofParts.has(own.identity.metric);
    // Most names are known and open nothing: of these the text is not needed.
    if (!opens && (known || this.heading === '')) return own;
    const name = Buffer.from(bytes.buffer, bytes.byteOffset + keyStart, keyEnd - keyStart).toString('latin1');
    if (opens && name.includes(' ')) this.heading = name.slice(0, name.lastIndexOf(' '));
    if (known || name.includes(' ') || (own && own.role === 'step')) return own;
    const whole = Buffer.from(`${this.heading} ${name}`, 'latin1');
    const found = this.table.find(whole, 0, whole.length, true);
    return found && found.role === 'metric' && ofParts.has(found.identity.metric) ? found : own;
  }

  /** Looks back from a value for its name. A single letter behind it is a unit of memory only: `mem 3.9G`, but `params 5.7M`. */
  private pair(
    bytes: Uint8Array,
    start: number,
    valueAt: number,
    value: number,
    kind: number,
    memoryOnly = false,
  ): void {
    if (this.count >= maxPairs) return;
    if (valueAt === this.deferredTo && this.deferred !== null) {
      this.keep(this.deferred, valueAt, value, kind, valueAt, valueAt);
      return;
    }
    let at = valueAt - 1;
    if (at < start) return;
    at = beforeWrapper(bytes, at, start);
    if (opensValue(bytes, at, start, value)) at--;
    at = skipBlank(bytes, at, start);
    if (at < start) return;
    let separated = false;
    let dashed = false;
    const isGlued = at === valueAt - 1 && gluedName(bytes, valueAt, start);
    if (isGlued) separated = true;
    const separator = bytes[at]!;
    if (separator === 0x3a || separator === 0x3d) {
      separated = true;
      at = skipBlank(bytes, at - 1, start);
    } else if (separator >= 0x80 && isWideSign(bytes, at)) {
      separated = true;
      at = skipBlank(bytes, at - 3, start);
    } else if (separator === 0x2d && bytes[at - 1] === 0x20 && bytes[at + 1] === 0x20) {
      // `dice_loss - 0.93`
      dashed = true;
      at = skipBlank(bytes, at - 1, start);
    } else if (at === valueAt - 1 && !isGlued) return;
    if (at < start) return;
    let keyEnd = at + 1;
    if (!separated && countsWhat(bytes, keyEnd)) return;
    const bars = bytes[at] === bar ? barredName(bytes, at, start) : -1;
    const floor = Math.max(start, this.takenUntil, keyEnd - maxKey);
    if (bars < 0 && keyByte[bytes[at]!] === 0 && letterStart(bytes, at, floor) < 0) return;
    while (bars < 0 && at >= floor) {
      const byte = bytes[at]!;
      if (byte === 0x20) {
        if (at === floor || !endsWord(bytes, at - 1)) break;
        if (bytes[at + 1] === 0x2f || isFraction(bytes, at + 1, keyEnd)) break;
        if (digit[bytes[at + 1]!] === 1 && !countsWhat(bytes, at)) break;
      } else if (byte === 0x2d) {
        if (at === floor || word[bytes[at - 1]!] === 0 || word[bytes[at + 1]!] === 0) break;
      } else if (byte === 0x27) {
        // Inside of a name: `valid_0's l2`, `perte d'entraînement`.
        if (
          at === floor ||
          word[bytes[at - 1]!] === 0 ||
          (word[bytes[at + 1]!] === 0 && bytes[at + 1]! < 0x80)
        )
          break;
      } else if (byte >= 0x80) {
        const letter = letterStart(bytes, at, floor);
        if (letter < 0) break;
        at = letter;
      } else if (keyByte[byte] === 0) break;
      at--;
    }
    let keyStart = bars < 0 ? at + 1 : bars;
    // `(1/32) accuracy`: what is no letter goes, and numbers with all that hangs on them.
    while (bars < 0 && keyStart < keyEnd) {
      if (digit[bytes[keyStart]!] === 1 || isFraction(bytes, keyStart, keyEnd)) {
        while (keyStart < keyEnd && bytes[keyStart] !== 0x20) keyStart++;
      } else if (word[bytes[keyStart]!] === 1 || bytes[keyStart]! >= 0x80) break;
      keyStart++;
    }
    if (isHalfOfDay(bytes, keyStart, start)) keyStart += 3;
    // Right behind a sign stands the value of another name: `split=dev loss=0.4`.
    if (keyStart < keyEnd && keyStart > start && bytes[keyStart - 1] === 0x3d && bars < 0) {
      const blank = bytes.subarray(keyStart, keyEnd).indexOf(0x20);
      if (blank > 0) keyStart += blank + 1;
    }
    const says = !separated && saysIs(bytes, keyStart, keyEnd);
    if (keyStart >= keyEnd || (says && keyEnd - keyStart <= 3)) {
      if (separated || says) this.aroundCounter(bytes, start, keyEnd, valueAt, value, kind);
      return;
    }
    if (isPlace(bytes, keyStart, valueAt, this.valueEnd, start)) return;
    if (says) {
      separated = true;
      keyEnd = skipBlank(bytes, bytes[keyEnd - 2] === 0x69 ? keyEnd - 3 : keyEnd - 4, keyStart) + 1;
    }
    if (dashed || (!separated && bytes[valueAt - 1] === 0x20)) {
      const single = !bytes.subarray(keyStart, keyEnd).includes(0x20);
      separated =
        single &&
        (dashed
          ? bytes.subarray(keyStart, keyEnd).includes(0x5f)
          : isCell(bytes, keyStart, this.valueEnd, start));
    }
    // Behind a counter of steps a word and a time need no sign between them: `step 20 fwd 0.31s sync 0.05s`, `[3/40] t_fwd 0.31 wait_ms 50`.
    const isTimed =
      !separated &&
      (this.counts || !Number.isNaN(this.fraction)) &&
      !bytes.subarray(keyStart, keyEnd).includes(0x20) &&
      (kind === unit.s || kind === unit.ms || kind === unit.us || isTimeWord(bytes, keyStart, keyEnd));
    const own = this.table.find(bytes, keyStart, keyEnd, separated || isTimed || kind === unit.digest);
    const info = this.underHeading(own, bytes, start, keyStart, keyEnd);
    if (separated && this.behindCount(bytes, start, keyStart, keyEnd, valueAt, value, kind)) return;
    if (info === null || info.role === 'ignored') return;
    if (memoryOnly && !isMemory(info.identity.metric)) return;
    if (info.identity.metric === 'loss' && isPaidInTime(bytes, keyEnd, this.valueEnd)) return;
    if (dashed && info.role !== 'metric') return;
    if (info.role === 'step') this.counts = true;
    this.keep(info, valueAt, value, kind, keyStart, keyEnd);
  }

  /** `Training loss at step 40: 1.89`, `Score after epoch 3 is 2.1`: the name stands before the counter, and the value behind it. */
  private aroundCounter(
    bytes: Uint8Array,
    start: number,
    keyEnd: number,
    valueAt: number,
    value: number,
    kind: number,
  ): void {
    const last = this.count - 1;
    const counter = this.keys[last];
    if (counter === undefined || last < 0 || (counter.role !== 'epoch' && counter.role !== 'step')) return;
    const counted = this.positions[last]!;
    const between = Buffer.from(bytes.subarray(counted, keyEnd)).toString('latin1');
    if (!/^\d[\d,]*(?:\/\d+)?[)\]]{0,2}(?: (?:is|was))?$/.test(between)) return;
    const text = Buffer.from(bytes.subarray(Math.max(start, this.keyStarts[last]!), counted)).toString(
      'utf8',
    );
    const name = beforeCounter.exec(text)?.[1]?.trim() ?? '';
    if (name === '') return;
    const told = Buffer.from(name);
    const info = this.table.find(told, 0, told.length, true);
    if (info !== null && info.role === 'metric') this.keep(info, valueAt, value, kind, valueAt, valueAt);
  }

  /** `Loss after 3 epochs: 0.23`: the number of the counter stands before its word, and behind the name. */
  private behindCount(
    bytes: Uint8Array,
    start: number,
    keyStart: number,
    keyEnd: number,
    valueAt: number,
    value: number,
    kind: number,
  ): boolean {
    if (keyStart <= start + 2 || digit[bytes[keyStart - 2]!] !== 1) return false;
    const from = Math.max(start, keyStart - maxKey);
    const text = Buffer.from(bytes.subarray(from, keyEnd)).toString('latin1');
    const found = afterCount.exec(text);
    if (found === null) return false;
    const [whole, name, count, word] = found as unknown as readonly [string, string, string, string];
    const told = Buffer.from(name);
    const info = this.table.find(told, 0, told.length, true);
    const counter = Buffer.from(/^epoch/i.test(word) ? 'epoch' : 'step');
    const counted = this.table.find(counter, 0, counter.length, true);
    if (info?.role !== 'metric' || info.identity.metric === 'other' || counted === null) return false;
    const countAt = from + found.index + whole.length - word.length - 1 - count.length;
    this.counts = true;
    // It passed for the value of the name.
    if (this.count > 0 && this.positions[this.count - 1] === countAt) this.count--;
    this.keep(counted, countAt, Number(count), unit.none, keyStart, keyEnd);
    this.keep(info, valueAt, value, kind, valueAt, valueAt);
    return true;
  }

  private keep(
    info: KeyInfo,
    valueAt: number,
    value: number,
    kind: number,
    keyStart: number,
    keyEnd: number,
  ): void {
    const pair = this.count++;
    this.keys[pair] = info;
    this.values[pair] = value;
    this.units[pair] = kind;
    this.positions[pair] = valueAt;
    this.keyStarts[pair] = keyStart;
    this.keyEnds[pair] = keyEnd;
  }
}

/** The length of what some languages write behind what is no number: `NaN32`, `Inf16`, `NaNf0`. */
function precisionAt(bytes: Uint8Array, at: number, end: number): number {
  const two = at + 1 < end ? (bytes[at]! << 8) | bytes[at + 1]! : 0;
  return two === 0x3332 || two === 0x3136 || two === 0x6630 ? 2 : 0;
}

/** `t_fwd`, `wait_ms`, `comm_time`: spelled as a time. */
function isTimeWord(bytes: Uint8Array, from: number, to: number): boolean {
  if (!bytes.subarray(from, to).includes(0x5f)) return false;
  return /^t_|_(?:[mu]?s|secs?|time)$/i.test(Buffer.from(bytes.subarray(from, to)).toString('latin1'));
}

/** What stands before a counter in a sentence: `Loss after epoch`, `Average loss (step`. */
const beforeCounter =
  /^(.*?)[\s([,@-]+(?:(?:after|at|for|in|of|on) )?(?:the )?(?:end of )?(?:the )?(?:global[_ ])?(?:epochs?|steps?|iter(?:ation)?s?|round|batch|update)[\s#:=]*$/i;

/** `03:14:15 PM loss 0.4`: the clock's, not the name's. */
function isHalfOfDay(bytes: Uint8Array, at: number, start: number): boolean {
  const half = bytes[at]! | 0x20;
  return (
    (half === 0x61 || half === 0x70) &&
    (bytes[at + 1]! | 0x20) === 0x6d &&
    bytes[at + 2] === 0x20 &&
    at > start + 1 &&
    bytes[at - 1] === 0x20 &&
    digit[bytes[at - 2]!] === 1
  );
}

/** `Reading the index cost 0.6 seconds`: what a cost is that is told in a unit of time. */
function isPaidInTime(bytes: Uint8Array, keyEnd: number, valueEnd: number): boolean {
  if ((bytes[keyEnd - 1]! | 0x20) !== 0x74 || (bytes[keyEnd - 4]! | 0x20) !== 0x63) return false;
  const behind = String.fromCharCode(...bytes.subarray(valueEnd, valueEnd + 4));
  return /^ ?(?:m?s(?:ec|\b)|min[su]|hou|hrs?\b)/i.test(behind);
}

const afterCount =
  /([A-Za-z][\w %@/-]*?) (?:after|at) (\d+) (epochs?|(?:global |training )?(?:steps?|iter(?:ation)?s?|updates?))$/i;

/** ` is` or ` was` ends the name before a value. */
function saysIs(bytes: Uint8Array, from: number, end: number): boolean {
  if (bytes[end - 1] !== 0x73) return false;
  const at =
    bytes[end - 2] === 0x69 ? end - 2 : bytes[end - 2] === 0x61 && bytes[end - 3] === 0x77 ? end - 3 : -1;
  return at >= from && (at === from || bytes[at - 1] === 0x20);
}

/** `__main__:evaluate:112`: where in the code a line was printed. */
function isPlace(
  bytes: Uint8Array,
  keyStart: number,
  valueAt: number,
  valueEnd: number,
  start: number,
): boolean {
  return (
    bytes[valueAt - 1] === 0x3a &&
    keyStart - 1 > start &&
    bytes[keyStart - 1] === 0x3a &&
    word[bytes[keyStart - 2]!] === 1 &&
    digit[bytes[valueAt]!] === 1 &&
    !bytes.subarray(valueAt, valueEnd).includes(0x2e)
  );
}

const gluedNames = new Set(['loss', 'acc', 'lr', 'lrate', 'ppl']);

/** Where the value begins that is glued to a name: `loss0.604`, `(lrate0.008)`; 0 without one. */
function gluedAt(bytes: Uint8Array, from: number, at: number, end: number): number {
  if (bytes[at] !== 0x2e || at + 1 >= end || digit[bytes[at + 1]!] === 0) return 0;
  let value = at;
  while (value > from && digit[bytes[value - 1]!] === 1) value--;
  return value < at && value - from <= 5 && value > from && gluedName(bytes, value, from) ? value : 0;
}

function gluedName(bytes: Uint8Array, valueAt: number, start: number): boolean {
  let from = valueAt;
  while (from > start && valueAt - from < 6 && word[bytes[from - 1]!] === 1) from--;
  return (
    valueAt > from && gluedNames.has(String.fromCharCode(...bytes.subarray(from, valueAt)).toLowerCase())
  );
}

const wrapper = /(?:tensor|array|float\d*|scalar|Variable)\(\[{0,2}$/i;

/** `loss=tensor(2.1)`, `'recall': array([0.5])`: before what a number is wrapped in. */
function beforeWrapper(bytes: Uint8Array, at: number, start: number): number {
  if (bytes[at] !== 0x28 && !(bytes[at] === 0x5b && (bytes[at - 1] === 0x28 || bytes[at - 1] === 0x5b)))
    return at;
  const from = Math.max(start, at - longestHeading);
  const text = String.fromCharCode(...bytes.subarray(from, at + 1));
  const found = wrapper.exec(text);
  if (found === null) return at;
  let before = from + found.index - 1;
  while (before > start && (word[bytes[before]!] === 1 || bytes[before] === 0x2e)) before--;
  return before;
}

/** What a name of several words may go on with before a blank; `(1/4)` is none of them. */
function endsWord(bytes: Uint8Array, at: number): boolean {
  const byte = bytes[at]!;
  return word[byte] === 1 || byte >= 0x80 || (byte === 0x29 && digit[bytes[at - 1] ?? 0] === 0);
}

/** A name and a number with nothing beside them between two bars: `| bleu 33.1 |`. */
function isCell(bytes: Uint8Array, keyStart: number, valueEnd: number, start: number): boolean {
  let before = keyStart - 1;
  while (before > start && bytes[before] === 0x20) before--;
  if (before < start || bytes[before] !== bar || before === keyStart - 1) return false;
  const after = skipForward(bytes, valueEnd, valueEnd + 4);
  return bytes[after] === bar || bytes[after] === 0x0a || bytes[after] === 0x0d || after >= bytes.length;
}

/** `G`, `M` and `k`, with or without what follows them. */
function sizeOf(byte: number): number {
  return byte === 0x47 ? unit.gib : byte === 0x4d ? unit.mib : (byte | 0x20) === 0x6b ? unit.kib : unit.none;
}

/** What may stand between a count of epochs and that of the batches in one. */
const ofBatches = /^[^a-z]*(?:(?:mini-?)?batch(?:es)?|steps?|iter(?:ation)?s?|it|idx|[bi])?[^a-z]*$/i;

/** What is told of the layers of a model, or of its inputs, one by one. */
const ofParts: ReadonlySet<MetricName> = new Set([
  'grad_norm',
  'param_norm',
  'dead_fraction',
  'input_nan_fraction',
] as const);

function startsNan(bytes: Uint8Array, at: number): boolean {
  return (bytes[at]! | 0x20) === 0x6e && (bytes[at + 1]! | 0x20) === 0x61 && (bytes[at + 2]! | 0x20) === 0x6e;
}

/** What is averaged over batches. */
const measured: ReadonlySet<MetricName> = new Set([
  'loss',
  'accuracy',
  'perplexity',
  'f1',
  'error_metric',
  'error_rate',
] as const);

const bar = 0x7c;
const slash = 0x2f;
const longestHeading = 24;
const longestSentence = 72;

/** Where a norm begins that is written in bars, as in `|w|`, `||g||`, `|dL/dh|` and `sum|w|`, of which the last stands at `at`; -1 where it is none. */
function barredName(bytes: Uint8Array, at: number, start: number): number {
  let from = at;
  while (from > start && bytes[from] === bar) from--;
  const end = from;
  while (from > start && end - from < longestHeading && (word[bytes[from]!] === 1 || bytes[from] === slash))
    from--;
  if (from === end || bytes[from] !== bar) return -1;
  if (from > start && at - end > 1 && bytes[from - 1] === bar) from--;
  while (from > start && word[bytes[from - 1]!] === 1) from--;
  return from;
}

/** Said of units in a whole sentence before the colon: `[relu] never active on 2048 samples: conv2 41 %`. */
const ofSilentUnits = /\b(?:dead|never (?:active|fire\w*)|inactive|always zero)/i;

/** One or two words and a colon right before a name, or what a whole sentence before it is about; empty where there are none. */
function headingBefore(bytes: Uint8Array, start: number, keyStart: number): string {
  let colon = keyStart - 1;
  while (colon > start && bytes[colon] === 0x20) colon--;
  if (colon <= start || bytes[colon] !== 0x3a || colon === keyStart - 1) return '';
  const from = Math.max(start, colon - longestSentence);
  const before = Buffer.from(bytes.buffer, bytes.byteOffset + from, colon - from).toString('latin1');
  if (ofSilentUnits.test(before)) return 'dead';
  const last = before.slice(-longestHeading);
  return /(?:^|[\s|,;\]])([A-Za-z][\w-]*(?: [A-Za-z][\w-]*)?)$/.exec(last)?.[1] ?? '';
}

/** Words before a number that belongs to a name: `on the 10000 test images`, `on 500 samples`, `last 100 episodes`, `top 5 acc`. */
const counting = new Set(['on', 'the', 'last', 'past', 'over', 'top']);
const lastLetters = new Set([...counting].map((name) => name.charCodeAt(name.length - 1)));

function countsWhat(bytes: Uint8Array, blank: number): boolean {
  if (!lastLetters.has(bytes[blank - 1]! | 0x20)) return false;
  let from = blank;
  while (from > 0 && blank - from < 6 && word[bytes[from - 1]!] === 1) from--;
  return counting.has(String.fromCharCode(...bytes.subarray(from, blank)).toLowerCase());
}

function skipForward(bytes: Uint8Array, from: number, end: number): number {
  let at = from;
  while (at < end && bytes[at] === 0x20) at++;
  return at;
}

function skipBlank(bytes: Uint8Array, from: number, start: number): number {
  let at = from;
  const floor = Math.max(start, from - 24);
  while (
    at >= floor &&
    (bytes[at] === 0x20 || bytes[at] === 0x27 || bytes[at] === 0x22 || bytes[at] === 0x09)
  )
    at--;
  return at;
}

/** `02:26:11` behind `03/17`: that was a date. */
function isClock(bytes: Uint8Array, at: number, end: number): boolean {
  return at + 3 < end && digit[bytes[at]!] === 1 && digit[bytes[at + 1]!] === 1 && bytes[at + 2] === 0x3a;
}

/** Past a clock time, a date or a version. */
function skipWhile(bytes: Uint8Array, from: number, end: number, joint: number): number {
  let at = from;
  while (at < end && (digit[bytes[at]!] === 1 || bytes[at] === joint || bytes[at] === 0x2e)) at++;
  return at;
}

const counters = new Set(['e', 'ep', 'epoch', 'step', 'iter']);

function isCounter(bytes: Uint8Array, from: number, to: number): boolean {
  return to - from <= 5 && counters.has(String.fromCharCode(...bytes.subarray(from, to)).toLowerCase());
}
