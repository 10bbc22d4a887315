// Whether the inputs of a run hold values that are none: by figures of its batches, by what it says of its data, and by tables that count them.
import { firstNonFinite, toCurve } from '../../features/curve.js';
import type { RunView } from '../../features/view.js';
import { figure } from '../../record/figures.js';
import type { TextLine } from '../../record/run-record.js';
import type { RunEvidence } from '../define.js';
import { citeLine, citePoint } from './cite.js';
import { findLine } from './match.js';

/** Figures of a batch under names of the run's own: `input max`, `batch_absmax`, `x.mean`. */
const inputFigure =
  /^(inputs?|batch|data|features?|pixels?|images?|x)[ _./-](abs_?)?(max|min|mean|std|sum|norm)$/i;

/** The same in words between which nothing tells a name from its value: `in[min nan max nan]`. */
const saidOfInput =
  /(?:^|[\s|,;[(])(?:in|inputs?|batch|data|pixels?|images?|x)[ _.:=/-]{0,2}[[({]?(?:abs_?)?(?:max|min|mean|std|sum|norm)[ =:]{1,3}nan\b/i;

export function dirtyInput(view: RunView, step: number): RunEvidence | null {
  for (const series of view.record.series) {
    if (series.metric !== 'other' || !inputFigure.test(series.rawName)) continue;
    const curve = toCurve(series);
    const index = firstNonFinite(curve);
    if (index >= 0 && curve.steps[index]! <= step)
      return citePoint(curve, index, `${curve.name} is ${figure(curve.values[index]!)} in this batch`);
  }
  for (const metric of ['input_nan_fraction', 'input_mean', 'input_std'] as const) {
    const curve = view.curve(metric);
    if (!curve) continue;
    const index = curve.values.findIndex(
      (value, i) =>
        curve.steps[i]! <= step && (metric === 'input_nan_fraction' ? value > 0 : !Number.isFinite(value)),
    );
    if (index >= 0)
      return citePoint(
        curve,
        index,
        `${curve.name} is ${figure(curve.values[index]!)} in the batch of step ${curve.steps[index]}`,
      );
  }
  const said = view.lines.find(
    (line) => line.text.length < 400 && saidOfInput.test(line.text) && (line.step ?? step) <= step,
  );
  return said ? citeLine(said) : null;
}

const toldOfNaN =
  /\b(?:shards?|files?|samples?|rows?|columns?|records?)\b.{0,80}\b(?:min|max|mean|std|sum)[ =:]{1,3}nan\b|non-?finite (input|feature|value)s?\b|\d+ (nan|non-?finite|missing) (value|cell|entr)|input contains nan|nan (values? )?(in|found in) (the )?(input|data|batch|feature|column)|data contains nan/i;
/** A question that is answered by yes or by a count. */
const askedForNaN =
  /(?:\bisn(?:an|a|ull)\b|\b(?:contains?|has|any|count\w*|number of) nans?\b).*\W(?:True|yes|[1-9]\d*)\W*$/i;
/** That there are none, or that they were sought or taken out. */
const noneOfThem =
  /[:=>]\s*(?:0|false|no|none)\b|(?<![\d.,])0 (?:nans?|non|missing)|\b(?:no|not|without|zero|check\w*|remov\w*|dropp\w*|fill\w*|replac\w*|imput\w*)\b/i;
const elsewhere = /\b(?:loss\w*|grad\w*|outputs?|pred\w*|logits?|weights?|param\w*)\b/i;

/** The run itself says that its inputs hold NaN. */
export function saidDirty({ lines }: RunView): TextLine | null {
  const isDirty = ({ text }: TextLine): boolean =>
    text.length < 300 &&
    ((toldOfNaN.test(text) && !noneOfThem.test(text)) ||
      (askedForNaN.test(text) && !noneOfThem.test(text) && !elsewhere.test(text)));
  return lines.find(isDirty) ?? null;
}

/** What numpy warns of is computed on the host: of targets, boxes and features, not of weights. */
const hostWarning = /RuntimeWarning: (?:invalid value|divide by zero|overflow|Mean of empty slice)/;
const ofTargets =
  /target|label|\bgts?\b|gt_|_gt|truth|b?box|anchor|annot|roi|height|width|mask|dataset|loader|preprocess|transform|normali[sz]|feature|scaler/i;

/** A warning of numpy, where targets or inputs are made, before anything was NaN. */
export function warnedOfTargets({ lines }: RunView): TextLine | null {
  const at = lines.findIndex(({ text }) => text.length < 400 && hostWarning.test(text));
  const told = at < 0 ? '' : `${lines[at]!.text} ${lines[at + 1]?.text ?? ''}`;
  return ofTargets.test(told) ? lines[at]! : null;
}

/** `df.isna().sum():`, `Missing values per column`: a heading over a count for each column. */
const missingHeading =
  /(?:\bisn(?:a|ull)\b|\b(?:nans?|nulls?|missing)\b.{0,30}\b(?:counts?|sums?|per|by|values)\b)\D*$/i;
const countOfColumn = /^\s*\S+(?: \S+)?\s+(\d+)\s*$/;

/** A column of the table that counts missing values has some, or one of the table that counts values has fewer than the others. */
export function countedMissing(view: RunView): TextLine | null {
  return missingIn(view) ?? fewerIn(view);
}

function missingIn({ lines }: RunView): TextLine | null {
  const heading = lines.findIndex(({ text }) => text.length < 200 && missingHeading.test(text));
  if (heading < 0) return null;
  for (const line of lines.slice(heading + 1)) {
    const count = countOfColumn.exec(line.text)?.[1];
    if (count === undefined) return null;
    if (Number(count) > 0) return line;
  }
  return null;
}

/** `df.describe()`: the counts of all columns in a row, or in a column where it was turned. `df.info()`: one line for each. */
const countsInRow = /^\s*count((?:\s+\d+(?:\.\d*)?(?:e[+]?\d+)?)+)\s*$/;
const countsInColumn = /^\s*count\s+mean\s+std\b/;
const rowOfColumn = /^\s*\S+\s+(\d+(?:\.\d*)?)(?:\s+(?:[-+]?\d[\d.e+-]*|NaN)){2,}\s*$/;
const countNonNull = /^\s*\d+\s+.+?\s(\d+)\s+non-null\b/;

function fewerIn({ lines }: RunView): TextLine | null {
  const row = lines.find(
    ({ text }, at) => countsInRow.test(text) && /^\s*mean\b/.test(lines[at + 1]?.text ?? ''),
  );
  if (row) {
    const counts = countsInRow.exec(row.text)![1]!.trim().split(/\s+/).map(Number);
    return Math.min(...counts) < Math.max(...counts) ? row : null;
  }
  const heading = lines.findIndex(({ text }) => countsInColumn.test(text));
  if (heading >= 0) return fewest(lines.slice(heading + 1), rowOfColumn);
  const first = lines.findIndex(({ text }) => countNonNull.test(text));
  return first >= 0 ? fewest(lines.slice(first), countNonNull) : null;
}

/** Of rows that each count one column, that of the fewest; null where all are alike. */
function fewest(lines: readonly TextLine[], pattern: RegExp): TextLine | null {
  const end = lines.findIndex(({ text }) => !pattern.test(text));
  const rows = lines.slice(0, end < 0 ? undefined : end);
  const counts = rows.map(({ text }) => Number(pattern.exec(text)![1]));
  const least = Math.min(...counts);
  return least < Math.max(...counts) ? rows[counts.indexOf(least)]! : null;
}

/** A check of the inputs that the run itself printed. */
const saidClean =
  /\b(0|no) (nans?|non-?finite|missing)\b(?! (loss|grad))|\b(nans?|missing)( values| count)?\s*[:=]\s*0\b|(\b(inputs?|features?|data|rows|batch\w*)\b.{0,20}finite|isfinite\((?!loss|grad)).{0,12}[:=]\s*(true|yes|ok)\b/i;

/** The inputs of a language model are whole numbers, which hold no NaN; others are clean when the batches' own figures say so. */
export function knownClean(view: RunView): boolean {
  if (view.task.loss === 'language_model') return true;
  if (dirtyInput(view, Number.POSITIVE_INFINITY)) return false;
  return view.curve('input_nan_fraction') !== null || findLine(view, saidClean) !== null;
}
