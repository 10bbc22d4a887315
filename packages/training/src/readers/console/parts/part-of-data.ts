// Of which part of the data a line of measures is that does not say it itself. A heading above it tells: `Test Error:` and then ` Accuracy: 91.2%, Avg
// loss: 0.31`; `[Epoch 9 / Test]:` and then `Loss = 0.46`. A heading of training, another epoch or a line that goes on with training ends what
// it began. So does what the line sums up: `Averaged stats: loss: 1.2` behind `Test: [90/98] loss: 1.3`. And so does a bar with fewer batches that
// follows the one of training within its epoch.
import type { Split } from '../../../record/split.js';
import type { KeyInfo } from '../pairs/key-table.js';
import type { LinePairs, Opening } from '../pairs/line-pairs.js';

/** A line of measures before the one at hand. */
interface Told {
  readonly part: Split;
  readonly counts: boolean;
}

/** Of training's batches held-out data has at most this share, and training was through with this share of its own. */
const fewer = 0.7;

export class PartOfData {
  private current: Split | null = null;
  /** Whether headings tell of training too, behind one of held-out data: then nothing but they ends a part. */
  private alternates = false;
  private hasTurned = false;
  /** How many headings there were of held-out data. */
  headings = 0;
  /** What was told since the heading. */
  private readonly told = new Set<KeyInfo>();
  private last: Told | null = null;
  /** Of the line of training that counted its batches last. */
  private batches = { epoch: Number.NaN, at: Number.NaN, of: Number.NaN };

  /** The part that a heading began, and that lines below it go on with. */
  get open(): Split | null {
    return this.current;
  }

  /** What a heading began is over. */
  close(): void {
    this.turn(null);
  }

  /** A line without measures. */
  pass(opens: Opening, isBlank: boolean): void {
    if (opens === null && !(isBlank && this.told.size > 0)) return;
    if (opens === 'train' && this.hasTurned) this.alternates = true;
    if (opens === 'epoch' || opens === 'train') {
      this.last = null;
      this.batches = { epoch: Number.NaN, at: Number.NaN, of: Number.NaN };
    }
    this.turn(opens === 'eval' || opens === 'test' ? opens : null);
    if (this.current === null) return;
    this.hasTurned = true;
    this.headings++;
  }

  /** The part that a line of measures is of, where it says nothing of it itself. `counts`: whether it counts steps or epochs. */
  of(pairs: LinePairs, epoch: number, counts: boolean, trained: boolean): Split | null {
    const stated = statedBy(pairs);
    let part: Split | null = null;
    if (this.current !== null) {
      if (stated !== 'train' && this.goesOn(pairs, epoch, counts, trained)) part = this.current;
      else this.turn(null);
    }
    if (part === null && stated === null) part = this.follows(pairs, epoch, counts);
    for (let index = 0; index < pairs.count; index++) {
      const info = pairs.keys[index]!;
      if (this.current !== null) this.told.add(info);
      else if (part === null) info.isOfTraining = true;
    }
    if (part === null && stated === null) {
      if (!counts && this.last?.part === 'train' && this.last.counts)
        for (let index = 0; index < pairs.count; index++) pairs.keys[index]!.sumsUp = true;
      if (!Number.isNaN(pairs.fraction)) this.batches = { epoch, at: pairs.fraction, of: pairs.total };
    }
    this.last = { part: part ?? stated ?? 'train', counts };
    return part;
  }

  private turn(part: Split | null): void {
    this.current = part;
    this.told.clear();
  }

  private goesOn(pairs: LinePairs, epoch: number, counts: boolean, trained: boolean): boolean {
    if (this.alternates) return true;
    if (!trained) return !counts;
    let isOld = true;
    for (let index = 0; index < pairs.count; index++) {
      const info = pairs.keys[index]!;
      if (info.role !== 'metric') continue;
      const known = info.isOfTraining;
      // An evaluation tells each name once.
      if (known && this.told.has(info)) return false;
      if (!known) isOld = false;
    }
    return !(counts && isOld) || this.hasFewerBatches(pairs, epoch);
  }

  /** What lines before this one say of it. */
  private follows(pairs: LinePairs, epoch: number, counts: boolean): Split | null {
    if (this.hasFewerBatches(pairs, epoch) && measures(pairs, 'isOfTraining')) return 'eval';
    const { last } = this;
    const isHeld = last !== null && last.part !== 'train';
    return isHeld && !counts && measures(pairs, 'sumsUp') ? last.part : null;
  }

  private hasFewerBatches({ fraction, total }: LinePairs, epoch: number): boolean {
    const { at, of } = this.batches;
    const isSame = Number.isNaN(epoch) || Number.isNaN(this.batches.epoch) || epoch === this.batches.epoch;
    return isSame && !Number.isNaN(fraction) && total <= fewer * of && at >= fewer * of;
  }
}

/** Whether all that a line measures is known for something. */
function measures({ keys, count }: LinePairs, known: 'isOfTraining' | 'sumsUp'): boolean {
  let some = false;
  for (let index = 0; index < count; index++) {
    const info = keys[index]!;
    if (info.role !== 'metric' || info.identity.metric === 'other') continue;
    if (!info[known]) return false;
    some = true;
  }
  return some;
}

/** The part that a line says it is of itself; training where it is of several. */
function statedBy({ keys, count, said }: LinePairs): Split | null {
  let found: Split | null = null;
  for (let index = 0; index < count; index++) {
    const { role, stated } = keys[index]!;
    const own = said[index] ?? (role === 'metric' ? stated : null);
    if (own === null) continue;
    if (own === 'train') return 'train';
    found = own;
  }
  return found;
}
