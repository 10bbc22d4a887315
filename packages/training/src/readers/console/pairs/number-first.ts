// Lines that put a number before its name: `Epoch 3: 0.51 train loss, 97.1% accuracy`, or Darknet's batches, `1012: 4.81, 5.03 avg, 0.001 rate,
// 1.9 seconds, 6072 images`. They are written anew in the usual order, and read like all others. So are lines that say at length which score they
// tell, as detectors of objects are judged: ` Average Precision  (AP) @[ IoU=0.50:0.95 | area=   all | maxDets=100 ] = 0.413`.

import { measureWords } from '../../../record/metric-words.js';

const value = String.raw`(-?(?:nan|inf|\d+(?:\.\d+)?(?:e[+-]?\d+)?))`;
const batch = new RegExp(
  String.raw`^\s*\(?(?:next .{0,80}\) )?(\d+): ${value}, ${value} avg(?: loss)?, ${value} rate, `,
);
const judged =
  /^\s*Average (?:Precision|Recall)\s+\(A[PR]\)\s*@\[ IoU=([\d.:]+)\s*\| area=\s*(\w+)\s*\| maxDets=\s*\d+\s*\] = (-?\d\.\d+)/;
/** A number and what was measured, up to the end of the line. */
const measure = `(?:${measureWords})`;
const item = String.raw`(-?(?:nan|inf|\d+\.\d+(?:e[+-]?\d+)?|\d+(?= ?%)))( ?%)? ((?:[A-Za-z][A-Za-z.]*[ _-]){0,2}${measure})\b`;
const between = String.raw`(?:\s*[,;|/&]\s*|\s+(?:and\s+)?)`;
const items = new RegExp(
  String.raw`(?<=^|[\s(\[:|-])(?<![A-Za-z](?:\s+|[:=]\s*))${item}(?:${between}${item})*\s*[.)\]]?\s*$`,
  'i',
);
const each = new RegExp(item, 'gi');
const endsWithMeasure = new RegExp(String.raw`${measure}\s*[.)\]]?\s*$`, 'i');
const longestMeasure = 24;
const longest = 300;
const comma = 0x2c;
const colon = 0x3a;

/** The same line with each name before its number; null for every other line. */
export function numbersBehind(bytes: Buffer, from: number, to: number): Buffer | null {
  const score = scoreIn(bytes, from, to);
  if (score !== null) return Buffer.from(score);
  const measured = measuredIn(bytes, from, to);
  if (measured !== null) return Buffer.from(measured);
  if (!mayBe(bytes, from, to)) return null;
  const found = batch.exec(bytes.toString('latin1', from, Math.min(to, from + 300)));
  if (!found) return null;
  // The average only follows the loss of the batches.
  const [, step, loss, , rate] = found;
  return Buffer.from(`iteration ${step}: loss ${loss}, lr ${rate}`);
}

/** What was measured with its names in front; null for a line that ends with no such name. */
function measuredIn(bytes: Buffer, from: number, to: number): string | null {
  if (to - from > longest) return null;
  if (!endsWithMeasure.test(bytes.toString('latin1', Math.max(from, to - longestMeasure), to))) return null;
  const text = bytes.toString('utf8', from, to);
  const found = items.exec(text);
  if (!found) return null;
  const told = [...found[0].matchAll(each)].map(
    ([, number, percent = '', name]) => `${name}: ${number}${percent}`,
  );
  return text.slice(0, found.index) + told.join(', ');
}

/** The score over all sizes, under its usual name; nothing for those of some of the objects, and null for every other line. */
function scoreIn(bytes: Buffer, from: number, to: number): string | null {
  let at = from;
  while (at < to && bytes[at] === 0x20) at++;
  if (bytes[at] !== 0x41 || bytes[at + 1] !== 0x76) return null;
  const [line, overlap, area, value] =
    judged.exec(bytes.toString('latin1', from, Math.min(to, from + 160))) ?? [];
  if (line === undefined) return null;
  const name = overlap === '0.50:0.95' ? 'mAP' : overlap === '0.50' ? 'mAP50' : null;
  return line.includes('(AP)') && area === 'all' && name !== null ? `val ${name}: ${value}` : '';
}

/** A counter of one to nine digits and a colon begin the line, and a comma follows. */
function mayBe(bytes: Buffer, from: number, to: number): boolean {
  let at = from;
  while (at < to && bytes[at] === 0x20) at++;
  if (bytes[at] === 0x28) return bytes.subarray(at, at + 6).toString('latin1') === '(next ';
  const first = at;
  while (at < to && at - first < 9 && bytes[at]! >= 0x30 && bytes[at]! <= 0x39) at++;
  return at > first && bytes[at] === colon && bytes.subarray(at, Math.min(to, at + 48)).includes(comma);
}
