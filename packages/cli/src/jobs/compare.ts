// The work of `grus diff` and of `grus check --against`: a notebook is judged twice, and what lies between is told.
import { dirname, resolve } from 'node:path';
import { visibleJson } from '@grus/core';
import { alignCells, codeCells, readNotebook } from '@grus/notebook';
import type { CheckFlags } from '../options/check.js';
import { blamesFor } from '../pipeline/blame.js';
import { assertMany, inParallel, optionsOf } from '../pipeline/check-many.js';
import { brought, type Comparison, compare, comparisonAnswer } from '../pipeline/compare.js';
import { findNotebooks } from '../pipeline/find.js';
import { judgeNotebook } from '../pipeline/judge-notebook.js';
import { exitCodeOf, summaryOf } from '../pipeline/report.js';
import { inShard } from '../pipeline/shard.js';
import { markdownOfComparisons, textOfComparison, textOfComparisons } from '../reports/comparison.js';
import { type OpenFormats, openFormats, writers } from '../reports/open.js';
import { startLongProgress } from '../terminal/progress.js';
import { plainStyle, type Style, styleFor } from '../terminal/style.js';
import { interpreterFor } from './environment.js';
import { chosenFor } from './kernels.js';

/** Both versions are judged in the folder of the newer one: the older is often a file of its own, taken from a commit. */
export async function diff(older: string, newer: string, flags: CheckFlags): Promise<number> {
  const started = performance.now();
  const formats = await openFormats(flags);
  const [old, now] = (await Promise.all([readNotebook(older), readNotebook(newer)])).map(codeCells);
  const [options] = await optionsOf([newer], flags);
  const folder = dirname(resolve(newer));
  const progress = startLongProgress();
  try {
    progress.update(older);
    const before = await judgeNotebook(older, { ...options!, folder });
    progress.update(newer);
    const after = await judgeNotebook(newer, options!);
    progress.done();
    return await tell([compare(before, after, alignCells(old!, now!))], started, formats, ([only]) => only);
  } finally {
    progress.done();
  }
}

/** Would these notebooks still run there? With the names of the packages that changed it. */
export async function checkAgainst(paths: readonly string[], flags: CheckFlags): Promise<number> {
  assertMany(flags);
  const { against, shard } = flags;
  const started = performance.now();
  const formats = await openFormats(flags);
  const found = await findNotebooks(paths);
  const notebooks = shard ? found.filter((path) => inShard(path, shard)) : found;
  const options = await optionsOf(notebooks, flags);
  const progress = startLongProgress();
  try {
    const [first] = notebooks;
    const base = first === undefined ? null : await chosenFor(first, null, flags);
    const there = await interpreterFor(against!, base?.python ?? 'python3', (text) => progress.update(text));
    const done: Comparison[] = new Array(notebooks.length);
    await inParallel(notebooks, flags.jobs ?? 1, new AbortController().signal, async (path, index) => {
      progress.update(`${path}, as it is`);
      const before = await judgeNotebook(path, options[index]!);
      progress.update(`${path}, with ${there}`);
      const after = await judgeNotebook(path, {
        ...options[index]!,
        kernel: { ...options[index]!.kernel, python: there },
      });
      const same = new Map(
        [...before.cells, ...before.unjudged].map(({ cell }) => [cell.number, cell.number]),
      );
      done[index] = await blamed(compare(before, after, same), there);
    });
    progress.done();
    return await tell(done, started, formats, (notebooks) => ({ against: there, notebooks }));
  } finally {
    progress.done();
  }
}

type Told = ReturnType<typeof comparisonAnswer>;

/** What breaks decides about the exit code: the other crashes are not of this change. */
async function tell(
  comparisons: readonly Comparison[],
  started: number,
  { streams, write }: OpenFormats,
  json: (all: readonly Told[]) => object | undefined,
): Promise<number> {
  const ms = Math.round(performance.now() - started);
  const shown = comparisons.map(brought);
  const summary = summaryOf(shown, ms);
  const textIn = (style: Style) =>
    comparisons.map((one) => textOfComparison(one, style)).join('') +
    textOfComparisons(comparisons, ms, style);
  if (streams) process.stdout.write(textIn(styleFor(process.stdout)));
  await write((name) => {
    switch (name) {
      case 'text':
        return textIn(plainStyle);
      case 'markdown':
        return markdownOfComparisons(comparisons, summary);
      case 'json':
        return `${visibleJson(JSON.stringify({ ...json(comparisons.map(comparisonAnswer)), ms }, null, 2))}\n`;
      default:
        return writers[name](shown, summary);
    }
  });
  return exitCodeOf(summary);
}

async function blamed(comparison: Comparison, there: string): Promise<Comparison> {
  const here = comparison.before.chosen?.python;
  if (!here) return comparison;
  const cells = codeCells(await readNotebook(comparison.after.path));
  const blames = new Map(comparison.blames);
  for (const one of [...comparison.breaks, ...comparison.uncovers])
    blames.set(one.cell.number, await blamesFor(cells, one, { before: here, after: there }));
  return { ...comparison, blames };
}
