// What a run itself shows of rows that it was evaluated on and had trained on: one source for both parts, rows that the log counts in both,
// losses that are the same to the last digit, and no gap after many passes. Whoever looks for leaks and whoever calls a run healthy asks here.
import type { RunEvidence } from '../detectors/define.js';
import { citeLine, citePoint, citeSetting } from '../detectors/shared/cite.js';
import { countedEpochs } from '../detectors/shared/learning.js';
import { type Curve, finiteValues, toCurve } from '../features/curve.js';
import { mean, median, standardError } from '../features/robust.js';
import type { RunView } from '../features/view.js';
import { splitWords } from '../record/metric-words.js';
import type { Setting, TextLine } from '../record/run-record.js';

/** Which part a word names; null for every other word. Whatever is held out counts as one part. */
function partOf(word: string): 'train' | 'held' | null {
  const split = splitWords[word.toLowerCase()];
  return split === undefined ? null : split === 'train' ? 'train' : 'held';
}

const wordsOf = (text: string): string[] => text.split(/[^A-Za-z]+/).filter(Boolean);

/** The one part that a text names; null where it names none, or both. */
function onlyPart(text: string): 'train' | 'held' | null {
  const parts = new Set(wordsOf(text).flatMap((word) => partOf(word) ?? []));
  return parts.size === 1 ? [...parts][0]! : null;
}

/** Training and evaluation read one source, and nothing says that it is divided. */
export function oneSource(view: RunView): readonly RunEvidence[] | null {
  return oneSetting(view) ?? oneListing(view);
}

/** One file may hold both parts where something says how it is divided. */
const divides = /split|(?<![a-z])k?folds?(?![a-z])|hold_?out|subset|partition/i;
/** Beside the name of a part. */
const dividesPart = /fraction|ratio|portion|percent|range|(?<!batch_)size/i;
/** A file, by its ending; a folder may hold both parts under names of their own. */
const file = /^[^\s,;]*[\w)\]]\.[A-Za-z][\w.]{0,9}$/;

/** `train_file: all.csv` and `validation_file: all.csv`: settings whose names differ in the part alone have the same file. */
function oneSetting({ record }: RunView): readonly RunEvidence[] | null {
  const named = record.settings.filter(({ key }) => onlyPart(key) !== null);
  if (record.settings.some(({ key }) => divides.test(key)) || named.some(({ key }) => dividesPart.test(key)))
    return null;
  const bare = ({ key }: Setting): string =>
    wordsOf(key)
      .filter((word) => partOf(word) === null)
      .join('.')
      .toLowerCase();
  for (const held of named) {
    if (typeof held.value !== 'string' || onlyPart(held.key) !== 'held' || !file.test(held.value)) continue;
    const trained = named.find(
      (entry) => onlyPart(entry.key) === 'train' && entry.value === held.value && bare(entry) === bare(held),
    );
    if (trained) return [citeSetting(trained), citeSetting(held)];
  }
  return null;
}

/** `412 images`, `50,000 training samples`: how many rows a line counts. */
const rows =
  /(?<![\w.,/])(\d[\d,_]*)(?: +[a-z-]+)? +(images?|samples?|rows|examples?|files|records|items|sequences|documents|instances|sentences|points|pairs|clips|utterances)\b/i;
/** From a root on, through two folders, or to a file with an ending; `it/s` is none. */
const path =
  /(?<![\w:/.?])(?:[~.]{0,2}[/\\]|\w[\w.-]*[/\\](?=[\w.-]*(?:[/\\]|\.[A-Za-z])))[\w./\\-]*[A-Za-z][\w./\\-]*/;

/** `train: Scanning d/all.cache... 412 images` and the same of `val`: lines that differ in the part count as many rows in one place. */
function oneListing({ lines }: RunView): readonly RunEvidence[] | null {
  const seen = new Map<string, TextLine>();
  for (const line of lines) {
    if (line.text.length > 500) continue;
    const place = path.exec(line.text)?.[0];
    const counted = place === undefined ? null : rows.exec(line.text);
    const part = counted && onlyPart(line.text.replace(place!, ' '));
    if (!counted || !part || divides.test(line.text)) continue;
    const what = `${place} ${counted[1]!.replace(/\D/g, '')} ${counted[2]!.toLowerCase()}`;
    const other = seen.get(`${part === 'train' ? 'held' : 'train'} ${what}`);
    if (other) return [citeLine(other), citeLine(line)];
    seen.set(`${part} ${what}`, line);
  }
  return null;
}

/** Words for rows that are in two parts at once, and for their having been taken out. */
const inBoth = /\b(overlap\w*|duplicat\w*|intersect\w*|in common|also in|contaminat\w*|in both)\b/i;
const takenOut =
  /(?<![\w.,])0(?![\w.,]*[1-9])|\b(no|none|without|removed?|removing|dropp\w*|filter\w*|dedup\w*|exclud\w*|discard\w*|clean\w*|skipp\w*|avoid\w*|prevent\w*|check\w*)\b/i;
/** `1,204 of 5,000`, `1204/5000`, `24.1 %`. */
const share = /(\d[\d,_]*)\s*(?:of|\/|out of)\s*(?:the )?(\d[\d,_]*)|(\d+(?:\.\d+)?)\s*(?:%|percent)/i;

export interface Overlap {
  /** Of the held-out rows; null where only their number is told. */
  readonly share: number | null;
  readonly evidence: readonly RunEvidence[];
}

/** The log counts rows that are in the part to train on and in a held-out one. Null where it counts none, or tells that they were taken out. */
export function toldOverlap({ lines }: RunView): Overlap | null {
  for (const line of lines) {
    const { text } = line;
    if (text.length > 500 || !inBoth.test(text) || takenOut.test(text)) continue;
    const parts = new Set(wordsOf(text).flatMap((word) => partOf(word) ?? []));
    if (parts.size < 2) continue;
    const told = share.exec(text);
    const number = (digits: string): number => Number(digits.replace(/[,_]/g, ''));
    const part = !told
      ? null
      : told[3] !== undefined
        ? Number(told[3]) / 100
        : number(told[1]!) / Math.max(1, number(told[2]!));
    const some = part === null ? /(?<![\w.])[1-9]\d*/.test(text) : part > 0;
    if (some) return { share: part !== null && part <= 1 ? part : null, evidence: [citeLine(line)] };
  }
  return null;
}

/** So many passes over the same rows leave them better known than new ones. */
const manyPasses = 15;

/**
 * After many passes held-out data is known as well as what was trained on, or every loss is the same in both to the last digit. Nothing in
 * the record says then that the rows were new.
 */
export function knownAsWell(view: RunView, split: 'train' | 'eval' | 'test'): boolean {
  const [trained, held] = [view.curve('loss', 'train'), view.curve('loss', split)];
  if (!trained || !held || trained === held) return false;
  if (sameFigures(trained, held)) return true;
  const [before, now] = [finiteValues(trained), finiteValues(held)];
  if (before.length < 5 || now.length < 2 || passesOf(view) < manyPasses) return false;
  const last = before.slice(-Math.max(3, Math.floor(before.length / 10)));
  const level = mean(last);
  const fell = level > 0 && level < 0.7 * median(before.slice(0, 3));
  // A gap that the noise of the batches hides is not shown.
  return (
    fell &&
    median(now.slice(now.length >= 4 ? -3 : -1)) < level + Math.max(0.01 * level, 2 * standardError(last))
  );
}

/** So many evaluations of rows that differ do not agree in every digit. */
const manyEvaluations = 5;

/** Rows of training were evaluated as well as held-out ones, and every loss and every score of the one is that of the other: both are the same rows. */
export function sameRows(view: RunView): readonly RunEvidence[] | null {
  const evidence: RunEvidence[] = [];
  for (const metric of ['loss', 'accuracy', 'f1', 'auc', 'explained_variance'] as const) {
    const of = view.record.series.filter((series) => series.metric === metric);
    const held = of.find(({ split }) => split === 'eval') ?? of.find(({ split }) => split === 'test');
    if (!held) continue;
    const [curve, length] = [toCurve(held), new Set(held.values).size];
    const alike = of.find(
      (series) =>
        series.split === 'train' && length >= manyEvaluations && sameFigures(toCurve(series), curve),
    );
    if (!alike) return null;
    evidence.push(
      citePoint(
        curve,
        curve.finite.at(-1)!,
        `${curve.name} equals ${alike.rawName} in all ${held.length} evaluations`,
      ),
    );
  }
  return evidence.length >= 2 ? evidence : null;
}

function sameFigures(trained: Curve, held: Curve): boolean {
  const at = new Map(trained.finite.map((index) => [trained.steps[index]!, trained.values[index]!]));
  const both = held.finite.filter((index) => at.has(held.steps[index]!));
  const values = both.map((index) => held.values[index]!);
  return (
    values.length >= 3 &&
    new Set(values).size >= 3 &&
    both.every((index) => isSame(at.get(held.steps[index]!)!, held.values[index]!))
  );
}

/** Batches that are added up in another order differ in the last of 24 bits. */
function isSame(one: number, other: number): boolean {
  return Math.abs(one - other) <= 1e-6 * Math.abs(one);
}

function passesOf(view: RunView): number {
  const logged = view.curve('epoch');
  return Math.max(countedEpochs(view), ...(logged ? finiteValues(logged) : []));
}
