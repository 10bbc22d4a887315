// Rows that all tell one and the same step, as logs do that print the last batch of each epoch: the count is of something inside, and says
// nothing of how far the run is. Where the rows stand does: they are counted, and what is held out stands beside the row of training before it.
import type { Series } from '../../record/series.js';

/** So many rows at one step are no accident. */
const rows = 3;

/** The rows of one file in their order, and the step that each counts for. */
interface Count {
  readonly file: string;
  readonly lines: readonly number[];
  readonly steps: ArrayLike<number>;
}

export interface Recounted<S> {
  readonly series: S[];
  /** The last step where training itself was counted anew; else null. */
  readonly lastStep: number | null;
}

export function recounted<S extends Series>(all: readonly S[]): Recounted<S> {
  const standing = all.filter(stands);
  const counts = standing.length === 0 ? null : countOf(all);
  if (counts === null) return { series: [...all], lastStep: null };
  const { anew, ...count } = counts;
  return {
    series: all.map((series) => (anew || standing.includes(series) ? along(series, count) : series)),
    lastStep: anew ? count.steps.length : null,
  };
}

function stands({ hasSteps, length, steps }: Series): boolean {
  return hasSteps && length >= rows && steps.every((step) => step === steps[0]);
}

/** Training's own rows: with the steps that they tell, or counted where those stand. */
function countOf(all: readonly Series[]): (Count & { readonly anew: boolean }) | null {
  const trained = all
    .filter(
      ({ split, metric, hasSteps, length }) =>
        split === 'train' && metric === 'loss' && hasSteps && length >= rows,
    )
    .sort((one, other) => other.length - one.length);
  const reference = trained.find((series) => !stands(series)) ?? trained[0];
  const lines = reference && linesOf(reference);
  if (!reference || !lines) return null;
  const anew = stands(reference);
  const steps = anew ? lines.map((_, index) => index + 1) : reference.steps;
  return { file: reference.where(0).file, lines, steps, anew };
}

/** Null where the rows are not those of one text, in their order. */
function linesOf(series: Series): number[] | null {
  const { file } = series.where(0);
  const lines: number[] = [];
  for (let index = 0; index < series.length; index++) {
    const at = series.where(index);
    if (at.file !== file || at.line === undefined || at.line < (lines.at(-1) ?? 0)) return null;
    lines.push(at.line);
  }
  return lines;
}

/** Each row at the step of the last row of training that stands no later. */
function along<S extends Series>(series: S, { file, lines, steps }: Count): S {
  const own = linesOf(series);
  if (own === null || series.where(0).file !== file) return series;
  let before = 0;
  const moved = Float64Array.from(own, (line) => {
    while (before + 1 < lines.length && lines[before + 1]! <= line) before++;
    return steps[before]!;
  });
  return {
    ...series,
    steps: moved,
    hasSteps: true,
    point: (index: number) => ({ ...series.point(index), step: moved[index]! }),
  };
}
