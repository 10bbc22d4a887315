// The work of `grus compare`: each of the other runs beside the first.
import { visibleIn } from '@grus/core';
import { compareRuns, type RunComparison, readRun, renderComparison } from '@grus/training';
import { exitCodes, hasColors, printJson, widthOf } from '../terminal/output.js';
import { startProgress } from '../terminal/progress.js';

export async function compareAll(run: string, others: readonly string[]): Promise<RunComparison[]> {
  const first = await readRun(run);
  const comparisons: RunComparison[] = [];
  for (const other of others) comparisons.push(compareRuns(first, await readRun(other)));
  return comparisons;
}

export async function compareWith(
  run: string,
  others: readonly string[],
  { json }: { readonly json?: boolean },
): Promise<number> {
  const progress = startProgress();
  progress.update(`reading ${others.length + 1} runs`);
  const comparisons = await compareAll(run, others).finally(() => progress.done());
  if (json) printJson({ comparisons });
  else {
    const options = { width: widthOf(process.stdout), color: hasColors(process.stdout) };
    const texts = visibleIn(comparisons).map((comparison) => renderComparison(comparison, options));
    process.stdout.write(`${texts.join('\n\n')}\n`);
  }
  return exitCodes.nothingBad;
}
