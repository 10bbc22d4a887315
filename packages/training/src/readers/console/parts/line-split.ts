// Which data a line of scores is about, where the line says so apart from its names: in front, or in a cell or brackets of its own.
// What follows such a word is of that data, up to the next one.
import { measureWords } from '../../../record/metric-words.js';
import { inKnownWords } from '../../../record/spellings.js';
import type { Split } from '../../../record/split.js';
import type { KeyInfo } from '../pairs/key-table.js';
import type { LinePairs, Opening } from '../pairs/line-pairs.js';
import { messageStart } from './logger-front.js';
import { parts, partsIn } from './part-words.js';

/** A star stands in front of the summary of an evaluation: ` * Acc@1 71.3 Acc@5 90.2`. */
const starred = /^\s*\*+ (?=[A-Za-z])/;

/** `INFO:tensorflow:Saving dict for global step 500: accuracy = 0.81, loss = 0.44`: what an Estimator's evaluation found. */
const kept = 'Saving dict for global step';

/**
 * What the line says of each of its pairs, left in `said`; and, of a line without measures, of which data the lines below it are, in `opens`.
 * Lines that differ only in their numbers say the same.
 */
export function tellSplits(bytes: Buffer, start: number, end: number, pairs: LinePairs): void {
  const { keys, count, positions, keyStarts, said } = pairs;
  pairs.opens = null;
  pairs.headed = null;
  let measures = 0;
  let firstValue = 0;
  for (let index = 0; index < count; index++) {
    said[index] = null;
    if (!isMeasure(keys[index]!)) continue;
    if (measures++ === 0) firstValue = positions[index]!;
  }
  if (measures === 0) {
    if (pairs.barAt < 0) pairs.opens = openedBy(bytes, start, end);
    return;
  }
  const leads = keys.findIndex(isMeasure);
  if (keys[leads]!.role === 'split')
    pairs.headed =
      [...bytes.toString('latin1', start, keyStarts[leads]).matchAll(measure)].at(-1)?.[0] ?? null;
  let part = summaryOf(bytes, start, firstValue);
  let ofCell: Split | null = null;
  let behind = start;
  for (let index = 0; index < count; index++) {
    const info = keys[index]!;
    if (!isMeasure(info)) continue;
    part = spokenIn(bytes, behind, keyStarts[index]!, behind === start) ?? part;
    // `| valid recon=0.31 kl=2.1 |`: the word that begins a cell speaks of all in it.
    const begins = bytes.subarray(behind, keyStarts[index]).includes(bar);
    if (begins) ofCell = info.name.includes(' ') && info.stated !== 'train' ? info.stated : null;
    else if (info.stated !== null && info.stated !== ofCell) ofCell = null;
    behind = positions[index]!;
    said[index] = part ?? (begins ? null : ofCell);
  }
}

const bar = 0x7c;

const measure = new RegExp(String.raw`\b(?:${measureWords})\b`, 'gi');

function isMeasure({ role }: KeyInfo): boolean {
  return role === 'metric' || role === 'split';
}

function summaryOf(bytes: Buffer, start: number, firstValue: number): Split | null {
  const text = bytes.toString('latin1', start, firstValue);
  return starred.test(text) || text.includes(kept) ? 'eval' : null;
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
