// Of which part of the data each value of a line is: by words beside it, by the other names of its line, by the lines before it.
import { type MetricName, scores } from '../../../record/metrics.js';
import type { Split } from '../../../record/split.js';
import type { KeyInfo } from '../pairs/key-table.js';
import type { LinePairs } from '../pairs/line-pairs.js';

export class PartsInLine {
  /** The same where the name says nothing of it, so that its points are of a curve of their own; of the value asked about last. */
  apart: Split | null = null;
  private counts = false;
  private inherited: Split | null = null;
  private ofLine: Split | null = null;
  private led: Split | null = null;
  /** The part that the last name with one said it is of. */
  private stated: Split | null = null;
  /** Names that stood behind one of training's own, in lines that tell of training alone. */
  private readonly behindTraining = new Set<string>();

  constructor(private readonly pairs: LinePairs) {}

  /** `counts`: whether the line says how far training is; `inherited`: what lines before it say of it. */
  begin(counts: boolean, inherited: Split | null): void {
    this.counts = counts;
    this.inherited = inherited;
    this.ofLine = heldOutLine(this.pairs);
    this.led = leadingPart(this.pairs);
    this.stated = null;
  }

  /** The part that something beside its name says a value is of; asked about each in its order. */
  of(index: number): Split | null {
    const { keys, said: saidOf } = this.pairs;
    const info = keys[index]!;
    const said = saidOf[index]!;
    if (info.stated !== null) this.stated = info.stated;
    const { inherited, stated, led } = this;
    const follows = led !== null && stated === led && info.stated === null;
    if (follows && led === 'train') this.behindTraining.add(info.name);
    const isTwin = follows && led !== 'train' && (!this.counts || this.behindTraining.has(info.name));
    const isAgain = info.stated === null && stated !== null && this.isRepeated(info);
    const part =
      said ?? this.ofLine ?? (isTwin || isAgain ? stated : null) ?? (info.stated === null ? inherited : null);
    const isSaid = said !== null || isAgain;
    const isOpen = isSaid || isTwin || inherited !== null;
    this.apart = part !== null && part !== 'train' && takesPart(info, isSaid, isOpen) ? part : null;
    return part;
  }

  /** `train loss 4.1 acc 3.2 | test loss 4.6 acc 1.1`: a name that comes twice is each time of the part named before it. */
  private isRepeated(info: KeyInfo): boolean {
    const { keys, count } = this.pairs;
    return keys.indexOf(info) !== keys.lastIndexOf(info, count - 1);
  }
}

/** What is measured on several sets of data; a rate, a time or an amount of memory is not. */
export function hasParts({ identity }: KeyInfo): boolean {
  return measuredOnData.has(identity.metric);
}

const measuredOnData: ReadonlySet<MetricName> = new Set([
  'loss',
  ...scores,
  'reward',
  'entropy',
  'kl',
  'other',
]);

/** A score whose own name says nothing of a part; a loss too where something said of which it is, and any measure where the line itself did. */
function takesPart(info: KeyInfo, said: boolean, opened: boolean): boolean {
  const { role, identity, name } = info;
  return (
    role === 'metric' &&
    identity.split === 'train' &&
    (identity.metric === 'accuracy' ||
      identity.metric === 'f1' ||
      identity.metric === 'perplexity' ||
      (opened && hasParts(info) && (said || identity.metric !== 'other'))) &&
    !/tr(ai)?n/i.test(name)
  );
}

/** The held-out part that the line says its first measure is of. */
export function saidFirst({ keys, said, count }: LinePairs): Split | null {
  for (let index = 0; index < count; index++)
    if (keys[index]!.role === 'metric') return said[index] === 'train' ? null : said[index]!;
  return null;
}

/** `Train acc: 0.8 | loss: 1.2` and, below, `Valid acc: 0.7 | loss: 1.4`: the one part of the data that the names of a line state. */
function leadingPart({ keys, count }: LinePairs): Split | null {
  let found: Split | null = null;
  for (let index = 0; index < count; index++) {
    const { role, stated } = keys[index]!;
    if (role !== 'metric' || stated === null) continue;
    if (found !== null && found !== stated) return null;
    found = stated;
  }
  return found;
}

/** The part of a line whose every loss is of one that is held out: `test_loss 0.41 Accuracy@1 71.3` tells one story. */
function heldOutLine({ keys, count }: LinePairs): Split | null {
  let found: Split | null = null;
  for (let index = 0; index < count; index++) {
    const { role, identity } = keys[index]!;
    if (role !== 'metric' || identity.metric !== 'loss') continue;
    if (identity.split === 'train' || (found !== null && found !== identity.split)) return null;
    found = identity.split;
  }
  return found;
}
