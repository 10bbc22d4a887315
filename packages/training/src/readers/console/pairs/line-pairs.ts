// What a line tells: names with their numbers, how far it counts, of which data it is. Reused from line to line.
import type { Split } from '../../../record/split.js';
import { textOf } from '../../bytes/characters.js';
import type { KeyInfo } from './key-table.js';

/** What a line without measures begins: lines of one part of the data, or another epoch of training. */
export type Opening = Split | 'epoch' | null;

const most = 96;
const longestBetween = 24;
/** What may stand between a count of epochs and that of the batches in one. */
const ofBatches = /^[^a-z]*(?:(?:mini-?)?batch(?:es)?|steps?|iter(?:ation)?s?|it|idx|[bi])?[^a-z]*$/i;

export class LinePairs {
  /** Holds `count` names; what lies beyond is of earlier lines. */
  readonly keys: KeyInfo[] = new Array<KeyInfo>(most);
  readonly values = new Float64Array(most);
  readonly units = new Uint8Array(most);
  /** The part of the data that the line says each is of, apart from the names. */
  readonly said = new Array<Split | null>(most).fill(null);
  /** Of which data a line without measures says that those below it are. */
  opens: Opening = null;
  /** What words before the parts of the data say is told of each: `Loss at epoch 3: training: 0.7, validation: 0.9`. */
  headed: string | null = null;
  /** Where each value stands, its sign included. */
  readonly positions = new Int32Array(most);
  /** Where each name stands: its digits belong to it. */
  readonly keyStarts = new Int32Array(most);
  readonly keyEnds = new Int32Array(most);
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

  get isFull(): boolean {
    return this.count >= most;
  }

  /** Whether something in it says how far it counts. */
  get isCounted(): boolean {
    if (!Number.isNaN(this.fraction)) return true;
    for (let pair = 0; pair < this.count; pair++) {
      const { role } = this.keys[pair]!;
      if (role === 'step' || role === 'epoch') return true;
    }
    return false;
  }

  clear(): void {
    this.count = 0;
    this.hasDigest = false;
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

  /** `Epoch [1/25], Step [20/40]`, `fold 2/5 epoch 1/25`: of two counts before anything is measured the second, of that name, is within the first. */
  isWithin(own: KeyInfo | null, bytes: Buffer, at: number): boolean {
    const { fraction, barAt, totalAt, keys, count } = this;
    if (Number.isNaN(fraction) || barAt >= 0 || at - totalAt > longestBetween) return false;
    if (own?.role !== 'epoch' && !ofBatches.test(textOf(bytes, totalAt, at))) return false;
    if (own !== null && own.role !== 'epoch' && !(own.role === 'step' && own.priority <= 1)) return false;
    for (let pair = 0; pair < count; pair++) {
      const key = keys[pair]!;
      if (key.role === 'metric' || key.role === 'split' || (key.role === 'step' && key !== own)) return false;
    }
    return own?.role !== 'epoch' || this.fractionPair < 0;
  }

  /** `3/40`, of which 3 stands at `at`; the value of `pair`, or of none. */
  countsOutOf(value: number, total: number, at: number, totalAt: number, pair: number): void {
    this.fraction = value;
    this.total = total;
    this.fractionAt = at;
    this.totalAt = totalAt;
    this.fractionPair = pair;
  }

  add(info: KeyInfo, at: number, value: number, kind: number, keyStart = at, keyEnd = at): KeyInfo {
    const pair = this.count++;
    this.keys[pair] = info;
    this.values[pair] = value;
    this.units[pair] = kind;
    this.positions[pair] = at;
    this.keyStarts[pair] = keyStart;
    this.keyEnds[pair] = keyEnd;
    return info;
  }
}
