// Gives a value in a line its name, or refuses it one.
import { isMemory } from '../../../record/metrics.js';
import {
  beforeBlanks,
  digit,
  has,
  hasPoint,
  letterStart,
  pastBlanks,
  sign,
  textOf,
  word,
} from '../../bytes/characters.js';
import { Heading } from './heading.js';
import { joint, nameLast, readJoint } from './joint.js';
import { type KeyInfo, KeyTable } from './key-table.js';
import { LinePairs } from './line-pairs.js';
import { endsCounting, nameStart } from './name-start.js';
import { countedBefore, isPaidInTime, nameAround, verbLength } from './sentence.js';
import { isTime, unit } from './units.js';

export class Naming {
  readonly pairs = new LinePairs();
  /** Whether a counter of steps was met: only behind one a word of hexadecimal digits is a value. */
  counts = false;
  /** What ends before here is of no later name: unlike a number, `nan` could be a word of it. */
  takenUntil = 0;
  private readonly table = new KeyTable();
  private readonly heading = new Heading(this.table);
  private bytes = Buffer.alloc(0) as Buffer;
  private start = 0;
  /** The name that the number at `deferredTo` is the value of. */
  private deferred: KeyInfo | null = null;
  private deferredTo = -1;

  begin(bytes: Buffer, start: number): void {
    this.pairs.clear();
    this.heading.clear();
    this.counts = false;
    this.takenUntil = 0;
    this.deferred = null;
    this.bytes = bytes;
    this.start = start;
  }

  /**
   * Adds the value that stands from `at` to `end` under the name before it; null where it has none. A single letter behind it is a unit of memory
   * only: `mem 3.9G`, but `params 5.7M`.
   */
  value(at: number, end: number, value: number, kind: number, memoryOnly = false): KeyInfo | null {
    const { bytes, start, pairs } = this;
    if (pairs.isFull) return null;
    if (at === this.deferredTo && this.deferred !== null) return pairs.add(this.deferred, at, value, kind);
    const joined = readJoint(bytes, start, at, value);
    if (joined === joint.none) return null;
    let to = nameLast + 1;
    if (joined !== joint.sign && endsCounting(bytes, to)) return null;
    const from = nameStart(bytes, start, this.takenUntil, to);
    if (from < 0) return null;
    let isSeparated = joined === joint.sign;
    const verb = isSeparated ? 0 : verbLength(bytes, from, to);
    if (from >= to || (verb > 0 && to - from <= 3))
      return isSeparated || verb > 0 ? this.aroundCounter(to, at, value, kind) : null;
    if (isPlace(bytes, start, from, at, end)) return null;
    if (verb > 0) {
      isSeparated = true;
      to = beforeBlanks(bytes, to - verb - 1, from) + 1;
    }
    const isSingle = !has(bytes, sign.blank, from, to);
    if (joined === joint.dash) isSeparated = isSingle && has(bytes, sign.underscore, from, to);
    else if (!isSeparated && bytes[at - 1] === sign.blank)
      isSeparated = isSingle && isCell(bytes, start, from, end);
    // Behind a counter of steps a word and a time need no sign between them: `step 20 fwd 0.31s sync 0.05s`, `[3/40] t_fwd 0.31 wait_ms 50`.
    const isTimed =
      !isSeparated &&
      isSingle &&
      (this.counts || !Number.isNaN(pairs.fraction)) &&
      (isTime(kind) || isSpelledTime(bytes, from, to));
    const own = this.table.find(bytes, from, to, isSeparated || isTimed || kind === unit.digest);
    const info = this.heading.under(own, bytes, start, from, to);
    const behind = isSeparated ? this.behindCount(from, to, at, value, kind) : null;
    if (behind !== null) return behind;
    if (info === null || info.role === 'ignored') return null;
    if (info.asksForCount && !pairs.isCounted) return null;
    if (info.identity.metric === 'loss' && isPaidInTime(bytes, to, end)) return null;
    if (memoryOnly && !isMemory(info.identity.metric)) return null;
    if (joined === joint.dash && info.role !== 'metric') return null;
    if (info.role === 'step') this.counts = true;
    return pairs.add(info, at, value, kind, from, to);
  }

  /** `第12轮`: the counter stands behind its number, and a sign of three bytes before it. */
  ordinal(at: number, end: number, value: number): boolean {
    const { bytes, start } = this;
    if (at - start < 3 || bytes[at - 1] !== 0xac || bytes[at - 2] !== 0xac || bytes[at - 3] !== 0xe7)
      return false;
    if (letterStart(bytes, end + 2, end) !== end) return false;
    const info = this.table.find(bytes, end, end + 3, true);
    if (info === null || (info.role !== 'epoch' && info.role !== 'step')) return false;
    this.pairs.add(info, at, value, unit.none, end, end + 3);
    return true;
  }

  /** Adds a counter of that name, whose number stands at `at` and which begins at `from`. */
  counter(name: string, at: number, value: number, from: number): void {
    const info = this.table.named(name);
    if (info === null || this.pairs.isFull) return;
    if (info.role === 'step') this.counts = true;
    this.pairs.add(info, at, value, unit.none, from, at);
  }

  /** The value added last counts, and its name is that of the number that stands at `to`. */
  counted(name: KeyInfo, to: number): void {
    this.pairs.keys[this.pairs.count - 1] = this.table.named('iteration')!;
    this.counts = true;
    this.deferred = name;
    this.deferredTo = to;
  }

  /** The name and the number of a counter stand before its word, and the value behind it. */
  private behindCount(from: number, to: number, at: number, value: number, kind: number): KeyInfo | null {
    const { bytes, start, pairs } = this;
    const found = countedBefore(bytes, start, from, to);
    const info = found && this.table.named(found.name);
    const counter = found && this.table.named(found.counter);
    if (!found || !counter || info?.role !== 'metric' || info.identity.metric === 'other') return null;
    this.counts = true;
    // It passed for the value of the name.
    if (pairs.count > 0 && pairs.positions[pairs.count - 1] === found.at) pairs.count--;
    pairs.add(counter, found.at, found.count, unit.none, from, to);
    return pairs.add(info, at, value, kind);
  }

  /** The name stands before a counter, and the value behind it. */
  private aroundCounter(to: number, at: number, value: number, kind: number): KeyInfo | null {
    const { bytes, start, pairs } = this;
    const last = pairs.count - 1;
    const role = last < 0 ? null : pairs.keys[last]!.role;
    if (role !== 'epoch' && role !== 'step') return null;
    const name = nameAround(bytes, Math.max(start, pairs.keyStarts[last]!), pairs.positions[last]!, to);
    const info = name === '' ? null : this.table.named(name);
    return info?.role === 'metric' ? pairs.add(info, at, value, kind) : null;
  }
}

/** `t_fwd`, `wait_ms`, `comm_time`: a name that is spelled as a time. */
function isSpelledTime(bytes: Buffer, from: number, to: number): boolean {
  return (
    has(bytes, sign.underscore, from, to) && /^t_|_(?:[mu]?s|secs?|time)$/i.test(textOf(bytes, from, to))
  );
}

/** `__main__:evaluate:112`: where in the code a line was printed. */
function isPlace(bytes: Buffer, start: number, nameAt: number, valueAt: number, valueEnd: number): boolean {
  return (
    bytes[valueAt - 1] === sign.colon &&
    nameAt - 1 > start &&
    bytes[nameAt - 1] === sign.colon &&
    word[bytes[nameAt - 2]!] === 1 &&
    digit[bytes[valueAt]!] === 1 &&
    !hasPoint(bytes, valueAt, valueEnd)
  );
}

/** A name and a number with nothing beside them between two bars: `| bleu 33.1 |`. */
function isCell(bytes: Buffer, start: number, nameAt: number, valueEnd: number): boolean {
  let before = nameAt - 1;
  while (before > start && bytes[before] === sign.blank) before--;
  if (before < start || bytes[before] !== sign.bar || before === nameAt - 1) return false;
  const after = pastBlanks(bytes, valueEnd, valueEnd + 4);
  return bytes[after] === sign.bar || bytes[after] === 0x0a || bytes[after] === 0x0d || after >= bytes.length;
}
