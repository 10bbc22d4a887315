// What a run says of its data before it trains, and what one constant answer gets on them: `class counts: [6839, 161]`, `majority baseline
// accuracy 0.62`, `predicting the mean: rmse 1.05`, `chance loss ln(128) = 4.852`. Only against that does a figure say that something was learned.
import type { FileRecord } from '../../collect/file-record.js';

const longest = 600;

/** A point of a curve: what stands in it was measured on the way. */
const point = /\b(?:epoch|ep|step|iter(?:ation)?)\b\W{0,4}\d|\d+%\|/i;

/** Counts of the labels. Of pixels, boxes and words most belong to one kind everywhere, and no score asks for them one by one. */
const counted =
  /\b(?:class|label|target)(?:es|s)?[ _-]?(?:counts?|distribution|balance|frequenc(?:y|ies)|histogram|support|shares?|proportions?)\b|\b(?:samples|rows|examples|images|records) per (?:class|label)\b|\b(?:counts?|distribution) of (?:classes|labels|targets)\b/i;
/** Nothing but a counter, of labels that are numbers. */
const ofNumbered = /^\W*Counter(?=\(\{\d+: )/;
const notSingle = /pixel|voxel|box|token|word|weight|multi-?label/i;
const list = /[[({]([^[\](){}]{3,400})[\])}]/g;
const entry = /(?:^|[:=])\s*(\d[\d_]*(?:\.\d+)?(?:e-?\d+)?)(%?)\s*$/i;
const ofHeldOut = /\b(?:val(?:id(?:ation)?)?|test|eval(?:uation)?|held[ -]?out|dev)\W*$/i;

/** Answers that do not look at their input. Another model, or the value before, is a baseline too, but no constant. */
const constant =
  /\b(?:majority(?! vot)|most[ -](?:frequent|common)|zero[ -]?rule|(?:constant|dummy|null)[ -](?:answer|predict(?:ion|or)|baseline|classifier|regressor|model|output)|always[ -]\w+|(?:predict|guess)(?:s|ing|ed)?[ -](?:the )?(?:mean|median|majority|average)|mean[ -](?:predictor|prediction|baseline|only)|unigram)\b/i;
const number = '([-+]?\\d[\\d_]*\\.?\\d*(?:e[-+]?\\d+)?)(%?)';
const isNumber = `\\)?["']?(?:\\s*(?:[:=~≈]|is|of|gets?|gives|->)\\s*|\\s+)${number}(?![\\w.]*\\w)`;
const shareOf = new RegExp(`\\b(?:acc(?:uracy)?|share|class|label|baseline)${isNumber}`, 'i');
const squareOf = new RegExp(`\\b(r?mse)${isNumber}`, 'i');
const costOf = new RegExp(
  `\\b(?:loss|ce|nll|log[ -]?loss|cross[ -]?entropy|entropy)${isNumber}(?!\\s*bits?\\b)`,
  'i',
);

/** `ln(128) = 4.852`: the loss of guessing among as many. */
const logarithm = /\b(?:ln|log)\(\s*(\d{1,7})\s*\)\s*(?:=|≈|~|is|:)\s*(\d+\.\d+)/i;
const guessed = new RegExp(
  `(?:^|[(;,|:]\\s*|\\b(?:at|vs\\.?|random|by)\\s+)(?:chance|guess(?:ing)?)(?:[ -](?:level|acc(?:uracy)?|top-?1|baseline))?${isNumber}`,
  'i',
);

/** `text` is a line near the beginning of a log. */
export function readStatedBaseline(record: FileRecord, text: string, line: number): void {
  if (text.length > longest || point.test(text)) return;
  readCounts(record, text, line);
  const classes = guessedAmong(text);
  if (classes !== null && !record.settings.has('num_classes')) record.setting('num_classes', classes, line);
  for (const clause of text.split(/[;|]|,\s+(?=\D)|\s{2,}/)) {
    if (!constant.test(clause)) continue;
    const [share, square, cost] = [shareOf, squareOf, costOf].map((pattern) => pattern.exec(clause));
    if (square) {
      const error = amountOf(square[2]!, square[3]!);
      record.point('target_variance', 0, /^r/i.test(square[1]!) ? error ** 2 : error, line);
    } else if (cost) record.point('constant_loss', 0, amountOf(cost[1]!, cost[2]!), line);
    else if (share) tellShare(record, amountOf(share[1]!, share[2]!), line);
  }
}

function readCounts(record: FileRecord, text: string, line: number): void {
  const head = counted.exec(text) ?? ofNumbered.exec(text);
  if (head === null || notSingle.test(text)) return;
  let told: number | null = null;
  for (const match of text.matchAll(list)) {
    if (match.index < head.index) continue;
    const entries = match[1]!.split(',').map((part) => entry.exec(part.trim()));
    if (entries.length < 2 || entries.some((one) => one === null)) continue;
    const counts = entries.map((one) => amountOf(one![1]!, ''));
    const sum = counts.reduce((a, b) => a + b, 0);
    if (sum <= 0) continue;
    told = Math.max(...counts) / sum;
    // What is held out is what the scores are of.
    if (ofHeldOut.test(text.slice(0, match.index))) break;
  }
  if (told !== null) tellShare(record, told, line);
}

function tellShare(record: FileRecord, share: number, line: number): void {
  if (share > 0.01 && share < 1) record.point('majority_share', 0, share, line);
}

/** Among how many answers guessing chooses, where a line tells it by its loss or its share of hits. */
function guessedAmong(text: string): number | null {
  const written = logarithm.exec(text);
  if (written) {
    const classes = Number(written[1]);
    return Math.abs(Math.log(classes) - Number(written[2])) < 0.01 ? classes : null;
  }
  const match = guessed.exec(text);
  const share = match ? amountOf(match[1]!, match[2]!) : 0;
  const classes = Math.round(1 / share);
  return share > 0 && share <= 0.5 && Math.abs(1 / share - classes) < 0.05 * classes ? classes : null;
}

function amountOf(text: string, percent: string): number {
  return Number(text.replaceAll('_', '')) / (percent === '' ? 1 : 100);
}
