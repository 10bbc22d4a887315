// Finds `name number` pairs in a line of bytes: `loss: 2.1`, `lr=1e-4`, `| lm loss: 6.6E+00 |`, `iter 100`,
// `'grad_norm': 'nan'`, `307/938`. One hand-written pass serves every console format, known or not.
import type { MetricName } from '../../../record/metrics.js';
import {
  beforeBlanks,
  bytesOf,
  digit,
  hasPoint,
  isFraction,
  pastBlanks,
  sign,
  startsValue,
  textOf,
  word,
} from '../../bytes/characters.js';
import { digestEnd, readDigest } from '../../bytes/digest.js';
import { numberEnd, readNumber } from '../../bytes/numbers.js';
import { gluedValue, opensValue } from './joint.js';
import { averageOf, type KeyInfo } from './key-table.js';
import { Naming } from './naming.js';
import { fromWindows, isOfFigure, isSigned, spelledLength, startsNan } from './not-a-number.js';
import { isDateOrPath, readTotal, totalAt, totalEnd } from './total.js';
import { sizeOf, unit, unitAt } from './units.js';

/** What is averaged over batches. */
const averaged: ReadonlySet<MetricName> = new Set([
  'loss',
  'accuracy',
  'perplexity',
  'f1',
  'error_metric',
  'error_rate',
] as const);

export class PairScanner {
  private readonly naming = new Naming();
  /** Of the line scanned last. */
  readonly pairs = this.naming.pairs;
  private bytes = Buffer.alloc(0) as Buffer;
  private start = 0;
  private end = 0;
  private isMarked = false;

  /** `markedSize`: of how many ranks each line says to be of one: `(2/4)` before anything else is no counter then. */
  constructor(private readonly markedSize: number | null) {}

  scan(bytes: Buffer, start: number, end: number): void {
    const { naming } = this;
    naming.begin(bytes, start);
    this.bytes = bytes;
    this.start = start;
    this.end = end;
    this.isMarked = false;
    let isFirst = true;
    let at = start;
    while (at < end) {
      const byte = bytes[at]!;
      const isWord = word[byte] === 1;
      const before = at;
      if (isWord && naming.counts) at = this.digest(at);
      if (at > before) continue;
      if (digit[byte] === 1 || (!isWord && beginsNumber(bytes, start, at, end))) at = this.number(at);
      else if (isWord) {
        at = this.notANumber(at, byte);
        if (at > before) continue;
        if (initials[byte] === 1) at = this.gluedCounter(at, isFirst);
        if (at === before) at = pastWord(bytes, at, end);
        isFirst = false;
      } else at++;
    }
  }

  /** Past a counter that its number is glued to, `ep01 loss=0.4`, `step0200: …`, `E3/40`, if one stands there. */
  private gluedCounter(at: number, isFirst: boolean): number {
    const { bytes, end, naming } = this;
    let to = at;
    while (to < end && to - at <= longestCounter && word[bytes[to]!] === 1 && digit[bytes[to]!] === 0) to++;
    if (to === at || to >= end || digit[bytes[to]!] === 0) return at;
    const name = counted.get(textOf(bytes, at, to).toLowerCase());
    if (name === undefined || (to - at === 1 && !isFirst)) return at;
    if (this.pairs.isCounted || (at > this.start && inPath[bytes[at - 1]!] === 1)) return at;
    const value = readNumber(bytes, to, end);
    let next = numberEnd;
    if (hasPoint(bytes, to, next)) return at;
    const total = readTotal(bytes, next, end);
    const isOutOf = !Number.isNaN(total);
    if (isOutOf) next = totalEnd;
    const behind = next < end ? bytes[next]! : sign.blank;
    if (word[behind] === 1 || inPath[behind] === 1 || namesAgain(bytes, at, to, next, end)) return at;
    // A letter alone means the same with a blank before its number, where it is no name: `E 99/500`, `E100/500`.
    const isNamed = !isOutOf || to - at > 1;
    if (isOutOf) this.pairs.countsOutOf(value, total, to, totalAt, isNamed ? this.pairs.count : -1);
    if (isNamed) naming.counter(name, to, value, at);
    naming.takenUntil = next;
    return next;
  }

  /** Past the checksum that stands there, if one does. */
  private digest(at: number): number {
    const value = readDigest(this.bytes, at, this.end);
    if (Number.isNaN(value)) return at;
    const next = digestEnd;
    this.naming.value(at, next, value, unit.digest);
    this.pairs.hasDigest = true;
    this.naming.takenUntil = next;
    return next;
  }

  /** Past the `nan`, `inf` or `infinity` that stands there, if one does. */
  private notANumber(at: number, byte: number): number {
    const { bytes, start, end, naming } = this;
    const first = byte | 0x20;
    const length = first === 0x6e || first === 0x69 ? spelledLength(bytes, at, end) : 0;
    if (length === 0) return at;
    const next = at + length;
    const size = startsNan(bytes, at) ? Number.NaN : Number.POSITIVE_INFINITY;
    const isNegative = at > start && bytes[at - 1] === sign.minus;
    const valueAt = isSigned(bytes, at, start) ? at - 1 : at;
    const info = naming.value(valueAt, next, isNegative ? -size : size, unit.none);
    // Unlike a number, `nan` could be a word of the next name: `loss=nan grad_norm=2.1`, `x mean nan loss nan`.
    if (info !== null || isOfFigure(bytes, at, start)) naming.takenUntil = next;
    return info?.role === 'metric' ? this.average(info, unit.none, next) : next;
  }

  private number(at: number): number {
    const { bytes, start, end, naming, pairs } = this;
    const value = readNumber(bytes, at, end);
    let next = numberEnd;
    const windows = fromWindows(bytes, next, value);
    if (windows !== undefined) {
      next += 2;
      while (next < end && word[bytes[next]!] === 1) next++;
      naming.value(at, next, windows, unit.none);
      return next;
    }
    if (at > start && bytes[at - 1]! >= 0x80 && naming.ordinal(at, next, value)) return next + 3;
    const following = next < end ? bytes[next]! : 0;
    const isJoint = following === sign.colon || following === sign.minus || following === sign.point;
    if (isJoint && next + 1 < end && digit[bytes[next + 1]!] === 1)
      return pastJoined(bytes, next, end, following);

    const total = readTotal(bytes, next, end);
    if (!Number.isNaN(total)) return this.outOf(at, next, value, total);

    const numberAt = next;
    const unitFrom = following === sign.blank ? next + 1 : next;
    const kind = unitAt(bytes, unitFrom, end);
    if (kind === unit.percent) {
      next = unitFrom + 1;
      if (following === sign.percent && next < end && bytes[next] === sign.bar) {
        pairs.barAt = at;
        return next;
      }
    } else if (kind === unit.perSecond || kind === unit.perStep) {
      pairs.rateTurned = kind === unit.perStep;
      pairs.rate = pairs.rateTurned ? 1 / value : value;
      pairs.rateAt = at;
      return next + 4;
    } else if (kind === unit.none && word[following] === 1) {
      const size = next + 1 >= end || word[bytes[next + 1]!] === 0 ? sizeOf(following) : unit.none;
      if (size === unit.none) return pastLetters(bytes, next, end);
      naming.value(at, next, value, size, true);
      return next + 1;
    }
    const before = at > start ? bytes[at - 1] : 0;
    // `[module.py:68]` is where a logger was called from.
    if (following === sign.closingBracket && before === sign.colon) return next + 1;
    if (
      following === sign.closingBracket &&
      before === sign.openingBracket &&
      !opensValue(bytes, at - 1, start, value) &&
      Number.isNaN(pairs.bracketed)
    ) {
      pairs.bracketed = value;
      pairs.bracketedAt = at;
      return next + 1;
    }
    const info = naming.value(at, numberAt, value, kind);
    if (info?.role !== 'metric') return next;
    if (!info.separated && Number.isInteger(value) && this.counts(info, at, next)) return next;
    return this.average(info, kind, next);
  }

  /** `3/40`: past a number and the total behind it. */
  private outOf(at: number, end: number, value: number, total: number): number {
    const { bytes, naming, pairs } = this;
    const [from, to] = [totalAt, totalEnd];
    if (isDateOrPath(bytes, to, this.end)) return to;
    if (total === this.markedSize && !this.isMarked && Number.isNaN(pairs.fraction)) {
      this.isMarked = true;
      return to;
    }
    const pair = pairs.count;
    const info = naming.value(at, end, value, unit.none);
    // `98% (49/50)` tells a share twice.
    const isShare =
      bytes[at - 1] === sign.opening && bytes[beforeBlanks(bytes, at - 2, this.start)] === sign.percent;
    const isInner = !isShare && pairs.isWithin(info, bytes, at);
    if (isInner && info?.role !== 'epoch') {
      pairs.bracketed = pairs.fraction;
      pairs.bracketedAt = pairs.fractionAt;
      pairs.outer = pairs.total;
    }
    if ((Number.isNaN(pairs.fraction) || isInner) && total >= 1 && Number.isInteger(total) && !isShare) {
      pairs.countsOutOf(value, total, at, from, info === null ? -1 : pair);
    }
    return to;
  }

  /** `Train loss 1025 0.544`, `Validation loss 975:  0.745`: the whole number between a loss and its value counts. */
  private counts(info: KeyInfo, at: number, next: number): boolean {
    const { bytes, end } = this;
    if (this.naming.counts || info.identity.metric !== 'loss') return false;
    const value = pastBlanks(bytes, bytes[next] === sign.colon ? next + 1 : next, end);
    if (value === next || value - next > 4 || hasPoint(bytes, at, next)) return false;
    readNumber(bytes, value, end);
    if (!startsNan(bytes, value) && !hasPoint(bytes, value, numberEnd)) return false;
    this.naming.counted(info, value);
    return true;
  }

  /** `Loss 0.52 (0.61)`, `acc1: 71.2 (70.8)`: what follows a value in brackets is the average up to it. Past that, if it is there. */
  private average(info: KeyInfo, kind: number, next: number): number {
    const { bytes, end, pairs } = this;
    const open = pastBlanks(bytes, next, end);
    if (
      bytes[open] !== sign.opening ||
      open - next > 2 ||
      pairs.isFull ||
      !averaged.has(info.identity.metric)
    )
      return next;
    const at = pastBlanks(bytes, open + 1, end);
    if (startsNan(bytes, at) && bytes[at + 3] === sign.closing) {
      pairs.add(averageOf(info), at, Number.NaN, kind);
      return at + 4;
    }
    if (digit[bytes[at] ?? 0] !== 1 && !(bytes[at] === sign.minus && pairs.values[pairs.count - 1]! < 0))
      return next;
    const value = readNumber(bytes, at, end);
    const close = bytes[numberEnd] === sign.percent ? numberEnd + 1 : numberEnd;
    if (bytes[close] !== sign.closing || !hasPoint(bytes, at, numberEnd)) return next;
    pairs.add(averageOf(info), at, value, kind);
    return close;
  }
}

/** A sign before a number, or the point of one without a zero: `d_loss .0213`. */
function beginsNumber(bytes: Buffer, start: number, at: number, end: number): boolean {
  const byte = bytes[at]!;
  if (byte === sign.point) return at > start && startsValue(bytes[at - 1]!) && isFraction(bytes, at, end);
  if ((byte !== sign.minus && byte !== sign.plus) || at + 1 >= end) return false;
  return (
    (at === start || word[bytes[at - 1]!] === 0) &&
    (digit[bytes[at + 1]!] === 1 || isFraction(bytes, at + 1, end))
  );
}

function pastLetters(bytes: Buffer, from: number, end: number): number {
  let at = from;
  while (at < end && word[bytes[at]!] === 1) at++;
  return at;
}

/** What counts, as it is glued to its number, and what it counts. */
const counted: ReadonlyMap<string, string> = new Map([
  ['e', 'epoch'],
  ['ep', 'epoch'],
  ['epoch', 'epoch'],
  ['step', 'step'],
  ['it', 'step'],
  ['iter', 'step'],
]);
const longestCounter = 5;
const initials = bytesOf([...counted.keys()].map((name) => name[0]! + name[0]!.toUpperCase()).join(''));
/** `step1 rmse 2.2 step2 rmse 2.4`: what comes again with another number names what is measured. */
function namesAgain(bytes: Buffer, from: number, to: number, next: number, end: number): boolean {
  const again = bytes.subarray(next, end).indexOf(bytes.subarray(from, to));
  if (again < 1) return false;
  const at = next + again;
  return word[bytes[at - 1]!] === 0 && digit[bytes[at + to - from] ?? 0] === 1;
}

/** Beside these it is part of a path or a name: `ckpt/step200.pt`, `run-ep3`. */
const inPath = bytesOf('/\\.-_');

/** Past a word, but not past a value that is glued to it. */
function pastWord(bytes: Buffer, from: number, end: number): number {
  const at = pastLetters(bytes, from + 1, end);
  return gluedValue(bytes, from, at, end) || at;
}

/** Past a clock time, a date or a version. */
function pastJoined(bytes: Buffer, from: number, end: number, joining: number): number {
  let at = from;
  while (at < end && (digit[bytes[at]!] === 1 || bytes[at] === joining || bytes[at] === sign.point)) at++;
  return at;
}
