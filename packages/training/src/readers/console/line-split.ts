// Which data a line of scores is about, where the line says so apart from its names: in front, or in a cell or brackets of its own.
// What follows such a word is of that data, up to the next one.
import { inKnownWords } from '../../record/spellings.js';
import type { Split } from '../../record/split.js';
import type { KeyInfo } from './key-table.js';
import { isDigit } from './line-time.js';
import { messageStart } from './logger-front.js';
import type { Opening } from './opening.js';
import type { PairScanner } from './pairs.js';
import { parts, partsIn } from './part-words.js';

/** A split, and from which byte of the line on it holds. */
interface SplitMark {
  readonly at: number;
  readonly split: Split;
}

/**
 * `Test set: Average loss: 0.31, Accuracy: 9312/10000`, `- valid: loss 0.31`, `Validation -> loss 0.3`: the line says first what it is about. A star stands
 * in front of the summary of an evaluation: ` * Acc@1 71.3 Acc@5 90.2`. A counter may follow: `| Validation Epoch #3  Loss: 0.3`, `val ep0 20/125 loss 0.4`, `TEST in epoch24, loss = 3.6`. A bar says what is being done: `Validating, loss=0.4: 94%|…`.
 */
const opening =
  /^\s*(?:\*+ (?=[A-Za-z])|(?:[-|>] )?(?:(test)|val(?:id(?:ation)?)?|eval(?:uation)?|dev)(?:(?: (?:set|data|results?|metrics|performance|on|of|the))* ?(?:[:|-]|->) *[A-Za-z[]|[\s,]+(?:(?:in|at|after|for) )?(?:epochs?|ep|steps?|iter(?:ation)?|batch|round)(?![A-Za-z_]))|(?:(testing)|validating|evaluating)\b ?[:,.|-])/i;

/** `| valid | epoch 3 | loss 4.1`, `| valid on 'dev' subset | loss 4.1`, `[train] loss=2.1, [valid] loss=2.4`, `Epoch(val) [3][20/20] acc: 0.7`. */
const apart =
  /^[[|(] *(?:(train(?:ing)?)|(test)|val(?:id(?:ation)?)?|eval(?:uation)?|dev)(?: on [\w' ]{1,20})? *[\]|)]/i;

/** `INFO:tensorflow:Saving dict for global step 500: accuracy = 0.81, loss = 0.44`: what an Estimator's evaluation found. */
const kept = 'Saving dict for global step';

const longestMark = 40;
const longestPrefix = 120;
const space = 0x20;
const bracket = 0x5b;
const parenthesis = 0x28;
const bar = 0x7c;
const dash = 0x2d;
const angle = 0x3e;
const capital = 0x53;
/** `*`, which the bit of lower case leaves as it is. */
const star = 0x2a;

/**
 * What the line says of each of its pairs, left in `said`; and, of a line without measures, of which data the lines below it are, in `opens`.
 * Lines that differ only in their numbers say the same.
 */
export function tellSplits(bytes: Buffer, start: number, end: number, scanner: PairScanner): void {
  const { keys, count, positions, keyStarts, said } = scanner;
  scanner.opens = null;
  scanner.headed = null;
  let measures = 0;
  let firstValue = 0;
  for (let index = 0; index < count; index++) {
    said[index] = null;
    if (!isMeasure(keys[index]!)) continue;
    if (measures++ === 0) firstValue = positions[index]!;
  }
  if (measures === 0) {
    if (scanner.barAt < 0) scanner.opens = openedBy(bytes, start, end);
    return;
  }
  const leads = keys.findIndex(isMeasure);
  if (keys[leads]!.role === 'split')
    scanner.headed =
      [...bytes.toString('latin1', start, keyStarts[leads]).matchAll(measure)].at(-1)?.[0] ?? null;
  const marks = splitMarks(bytes, start, end, firstValue);
  let behind = start;
  let gap: SplitMark | null = null;
  for (let index = 0; index < count; index++) {
    if (!isMeasure(keys[index]!)) continue;
    const spoken = spokenIn(bytes, behind, keyStarts[index]!, behind === start);
    if (spoken !== null) gap = { at: behind, split: spoken };
    behind = positions[index]!;
    const mark = marks.findLast(({ at }) => at <= behind);
    said[index] =
      mark === undefined || (gap !== null && gap.at > mark.at) ? (gap?.split ?? null) : mark.split;
  }
}

/** What may be told of each part of the data. */
const measure = /\b(?:loss|cost|error|accuracy|acc|perplexity|ppl|auc|f1|rmse|mse|mae)\b/gi;

function isMeasure({ role }: KeyInfo): boolean {
  return role === 'metric' || role === 'split';
}

/** `firstValue`: where the first metric's value stands. Behind a value, a word in parentheses is a remark about it. */
function splitMarks(bytes: Buffer, start: number, end: number, firstValue: number): readonly SplitMark[] {
  const marks: SplitMark[] = [];
  const indented = afterLoggers(bytes, afterBlank(bytes, start, end), end);
  const marker = bytes[indented] === dash || bytes[indented] === bar || bytes[indented] === angle;
  const first = marker ? afterBlank(bytes, indented + 1, end) : indented;
  if ((bytes[first]! | 0x20) === star || mayBegin(bytes[first]!)) {
    const found = opening.exec(bytes.toString('latin1', indented, Math.min(end, indented + 40)));
    if (found) marks.push({ at: start, split: (found[1] ?? found[2]) === undefined ? 'eval' : 'test' });
  }
  for (let at = start; at < end; at++) {
    const byte = bytes[at];
    if (byte === capital && at < firstValue && bytes.toString('latin1', at, at + kept.length) === kept)
      marks.push({ at, split: 'eval' });
    const opens = byte === bracket || byte === bar || (byte === parenthesis && at < firstValue);
    if (!opens || !mayBegin(bytes[afterBlank(bytes, at + 1, end)]!)) continue;
    const found = apart.exec(bytes.toString('latin1', at, Math.min(end, at + longestMark)));
    if (found) marks.push({ at, split: found[1] ? 'train' : found[2] ? 'test' : 'eval' });
  }
  return marks;
}

const maySpeak = /tr(?:ai)?n|te?st|val|dev|cv|held|hold|veri/i;
const longestGap = 160;
const mostWords = 8;

/** What the words between two pairs say, or those before the first: these name one part of the data, and are few. */
function spokenIn(bytes: Buffer, from: number, to: number, isHead: boolean): Split | null {
  if (to - from > longestGap || to - from < 3) return null;
  const text = textOf(bytes, from, to);
  if (!maySpeak.test(text)) return null;
  const told = isHead ? text.slice(messageStart(text)) : text;
  if ((told.match(/[A-Za-z]+/g)?.length ?? 0) > mostWords) return null;
  const found = partsIn(told);
  return isHead && new Set(found).size > 1 ? null : (found.at(-1) ?? null);
}

/** What a heading may say beside the part of the data: nothing that counts, loads or plans it. */
const headingWords = new Set(
  `metrics performance results result error errors set dataset data subset phase mode stage step steps epoch epochs iter iters iteration
  iterations batch batches micro round loop model net network on the of at for in a an is begin begins beginning start starts starting started
  run running runs now end ends ended ending finish finished done complete completed summary stats statistics report score scores loss losses
  perplexity accuracy output outputs rank avg average averaged total mean overall split part fold after info going into`.split(
    /\s+/,
  ),
);
const counting = /^(?:epochs?|iter(?:ation)?)$/;
const ending = /^(?:end|ended|finish|finished|done|complete|completed)$/;
const longestOpening = 140;

/** Of which data the lines below this one are; `epoch` where a new one of training begins. */
function openedBy(bytes: Buffer, start: number, end: number): Opening {
  if (end - start > longestOpening || end - start < 3) return null;
  const text = textOf(bytes, start, end);
  if (!mayOpen.test(text)) return null;
  const told = text.slice(messageStart(text));
  const found = new Set(partsIn(told));
  const others = (told.replace(parts, ' ').match(/[A-Za-z]+/g) ?? []).map((word) => word.toLowerCase());
  if (found.size > 1 || others.length > mostWords || !others.every((word) => headingWords.has(word)))
    return null;
  const [only] = found;
  if (only !== undefined) return only;
  const begins = others.some((word) => counting.test(word)) && !others.some((word) => ending.test(word));
  return begins && /\d/.test(told) ? 'epoch' : null;
}

const mayOpen = /tr(?:ai)?n|te?st|val|dev|cv|held|hold|veri|epoch|iter/i;

/** In the words that are known, where it is of another language. */
function textOf(bytes: Buffer, from: number, to: number): string {
  const text = bytes.toString('latin1', from, to);
  return /[\xc3-\xed]/.test(text) ? inKnownWords(bytes.toString('utf8', from, to).toLowerCase()) : text;
}

/** The first letters of the words above; few lines have them there. */
function mayBegin(byte: number): boolean {
  const lower = byte | 0x20;
  return lower === 0x74 || lower === 0x76 || lower === 0x65 || lower === 0x64;
}

/** `2024-05-06 14:37:21,343 Val Step[100/3125], Avg Loss: 1.4`, `[2025-09-30 20:54:00][__main__][INFO] - Test, Round 349: Loss=2.3`. */
function afterLoggers(bytes: Buffer, from: number, end: number): number {
  const first = bytes[from]!;
  if (first !== bracket && !isDigit(first) && (first < 0x41 || first > 0x5a)) return from;
  return from + messageStart(bytes.toString('latin1', from, Math.min(end, from + longestPrefix)));
}

function afterBlank(bytes: Buffer, from: number, end: number): number {
  let at = from;
  while (at < end && bytes[at] === space) at++;
  return at;
}
