// Of which part of the data the lines below a heading are: `Test Error:` and then ` Accuracy: 91.2%, Avg loss: 0.31`; `[Epoch 9 / Test]:` and
// then `Loss = 0.46`. A heading of training, another epoch or a line that goes on with training ends what it began.
import type { Split } from '../../record/split.js';
import type { KeyInfo } from './key-table.js';
import type { Opening } from './opening.js';
import type { PairScanner } from './pairs.js';

export class PartOfData {
  private current: Split | null = null;
  /** Whether headings tell of training too, behind one of held-out data: then nothing but they ends a part. */
  private alternates = false;
  private hasTurned = false;
  /** What was told since the heading. */
  private readonly told = new Set<KeyInfo>();

  /** A line without measures. */
  pass(opens: Opening, isBlank: boolean): void {
    if (opens === null && !(isBlank && this.told.size > 0)) return;
    if (opens === 'train' && this.hasTurned) this.alternates = true;
    this.current = opens === 'eval' || opens === 'test' ? opens : null;
    if (this.current !== null) this.hasTurned = true;
    this.told.clear();
  }

  /** The part that a line of measures is of, where it says nothing of it itself. `counts`: whether it counts steps or epochs. */
  of(scanner: PairScanner, counts: boolean, trained: boolean): Split | null {
    if (this.current === null) {
      for (let index = 0; index < scanner.count; index++) scanner.keys[index]!.isOfTraining = true;
      return null;
    }
    if (saysTraining(scanner) || !this.goesOn(scanner, counts, trained)) {
      this.current = null;
      this.told.clear();
      return null;
    }
    for (let index = 0; index < scanner.count; index++) this.told.add(scanner.keys[index]!);
    return this.current;
  }

  private goesOn(scanner: PairScanner, counts: boolean, trained: boolean): boolean {
    if (this.alternates) return true;
    if (!trained) return !counts;
    let isOld = true;
    for (let index = 0; index < scanner.count; index++) {
      const info = scanner.keys[index]!;
      if (info.role !== 'metric') continue;
      const known = info.isOfTraining;
      // An evaluation tells each name once.
      if (known && this.told.has(info)) return false;
      if (!known) isOld = false;
    }
    return !(counts && isOld);
  }
}

function saysTraining({ keys, count, said }: PairScanner): boolean {
  for (let index = 0; index < count; index++)
    if (said[index] === 'train' || (keys[index]!.role === 'metric' && keys[index]!.stated === 'train'))
      return true;
  return false;
}
