// What a run says of its labels before it trains: `class counts: [6839, 161]`, `majority baseline accuracy 0.62`. Only against the answer that is
// the most frequent one every time does a share of right answers say that something was learned.
import type { FileRecord } from '../../collect/file-record.js';

const longest = 300;

/** Counts of the labels. Of pixels, boxes and words most belong to one kind everywhere, and no score asks for them one by one. */
const counted =
  /\b(?:class|label|target)(?:es|s)?[ _-]?(?:counts?|distribution|balance|frequenc(?:y|ies)|histogram|support|shares?|proportions?)\b|\b(?:samples|rows|examples|images|records) per (?:class|label)\b|\b(?:counts?|distribution) of (?:classes|labels|targets)\b/i;
/** What is counted is a part of the rows, was chosen or made, or is no row at all. */
const ofOthers =
  /pixel|voxel|box|token|word|weight|multi-?label|predict|output|client|batch|task|fold|sampl(?:er|ing)|balanced|augment|smote|after|epoch|step/i;
const list = /[[({]([^[\](){}]{3,250})[\])}]/g;
const entry = /(?:^|[:=])\s*(\d[\d_]*(?:\.\d+)?(?:e-?\d+)?)\s*$/i;
const ofHeldOut = /(?:^|[^a-z])(?:val(?:id(?:ation)?)?|test|eval(?:uation)?|held[ -]?out|dev)(?:[^a-z]|$)/i;

const stated =
  /\b(?:majority(?: class| label| baseline)?|most[ -](?:frequent|common)(?: class| label)?)(?: (?:baseline|acc(?:uracy)?|share))*\)?(?:\s*[:=~≈]\s*|\s+(?:(?:is|of|gets?)\s+)?)(\d+(?:\.\d+)?)(%?)(?![\w.]*\w)/i;

/** Reads the lines of a log before it counts anything. */
export class StatedBaseline {
  private readonly shares: { readonly share: number; readonly isHeldOut: boolean; readonly line: number }[] =
    [];

  constructor(private readonly record: FileRecord) {}

  read(text: string, line: number): void {
    if (text.length > longest || ofOthers.test(text)) return;
    const share = stated.exec(text);
    if (share) this.tell(Number(share[1]) / (share[2] === '' ? 1 : 100), false, line);
    const head = counted.exec(text);
    let behind = 0;
    for (const match of head ? text.matchAll(list) : []) {
      const before = text.slice(behind, match.index);
      behind = match.index + match[0].length;
      if (match.index < head!.index) continue;
      const entries = match[1]!.split(',').map((part) => entry.exec(part.trim()));
      if (entries.length < 2 || entries.some((one) => one === null)) continue;
      const counts = entries.map((one) => Number(one![1]!.replaceAll('_', '')));
      const sum = counts.reduce((a, b) => a + b, 0);
      if (sum > 0) this.tell(Math.max(...counts) / sum, ofHeldOut.test(before), line);
    }
  }

  private tell(share: number, isHeldOut: boolean, line: number): void {
    if (share > 0.01 && share < 1) this.shares.push({ share, isHeldOut, line });
  }

  /** What the scores are of is what is held out; where shares differ and nothing says of what they are, none is known. */
  end(): void {
    const held = this.shares.filter(({ isHeldOut }) => isHeldOut);
    const [told, ...more] = held.length > 0 ? held : this.shares;
    if (told && more.every(({ share }) => Math.abs(share - told.share) < 0.02))
      this.record.point('majority_share', 0, told.share, told.line);
  }
}
