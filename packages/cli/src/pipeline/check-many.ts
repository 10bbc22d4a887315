// The work of `grus check` with several notebooks: a bounded number of kernels at once, one report, one exit code. Ctrl-C
// ends the kernels first; what was asked for in files is then not written, because half a report looks like a whole one.
import { availableParallelism } from 'node:os';
import { GrusError } from '@grus/core';
import { closeAllKernels } from '@grus/kernel';
import type { CheckOptions, CodeCell } from '@grus/notebook';
import { checkOptions } from '../jobs/check-options.js';
import { settled } from '../jobs/settled.js';
import type { CheckFlags } from '../options/check.js';
import { openReports } from '../reports/open.js';
import { exitCodes } from '../terminal/output.js';
import { startLongProgress } from '../terminal/progress.js';
import { askedAtOnce, judgeByFleet } from './by-fleet.js';
import { findNotebooks } from './find.js';
import { type JudgeNotebookOptions, judgeNotebook } from './judge-notebook.js';
import { exitCodeOf, type NotebookReport, summaryOf } from './report.js';
import { inShard } from './shard.js';

const defaultTimeout = 600_000;
/** In a rehearsal only what no copy can try is run. */
const rehearsedTimeout = 60_000;
const mostKernels = 4;

/** Options that mean one notebook, by their names on the command line. */
const ofOneNotebook = {
  '--cell': 'cell',
  '--code': 'code',
  '--watch': 'watch',
  '--all': 'all',
  '--with-edit': 'withEdit',
  '--fix': 'fix',
  '--kernel': 'kernel',
  '--server': 'server',
  '--set': 'set',
} as const satisfies Record<string, keyof CheckFlags>;

/** Throws where an option is given that means one notebook. */
export function assertMany(flags: CheckFlags): void {
  const misplaced = Object.entries(ofOneNotebook).find(([, flag]) => flags[flag] !== undefined);
  if (misplaced)
    throw new GrusError(`${misplaced[0]} goes with one notebook`, {
      advice: 'Leave it out, or name one notebook and no --shard, --rehearse, --quick or report format.',
    });
  if (flags.fleet && (flags.quick || flags.python !== undefined || flags.kernelName !== undefined))
    throw new GrusError('with --fleet the workers choose the kernel', {
      advice: 'Leave out --quick, --python and --kernel-name.',
    });
  if (flags.quick && flags.rehearse)
    throw new GrusError('--quick runs nothing, and --rehearse does', { advice: 'Give one of the two.' });
}

export async function checkMany(paths: readonly string[], flags: CheckFlags): Promise<number> {
  assertMany(flags);
  const started = performance.now();
  const { shard } = flags;
  const found = await findNotebooks(paths);
  const notebooks = shard ? found.filter((path) => inShard(path, shard)) : found;
  const options = flags.fleet ? [] : await optionsOf(notebooks, flags);
  const byFleet = flags.fleet ? judgeByFleet(flags) : null;
  const reports = await openReports(flags);
  const interrupted = new AbortController();
  const progress = startLongProgress();
  const interrupt = () => {
    interrupted.abort();
    void closeAllKernels().then(() => {
      progress.done();
      process.stderr.write(`grus: interrupted; ${told} of ${notebooks.length} notebooks were checked\n`);
      process.exit(exitCodes.interrupted);
    });
  };
  process.on('SIGINT', interrupt).on('SIGTERM', interrupt);
  const done: (NotebookReport | undefined)[] = notebooks.map(() => undefined);
  let finished = 0;
  let told = 0;
  const tell = (path: string) => progress.update(`${finished} of ${notebooks.length} notebooks, ${path}`);
  try {
    const atOnce = flags.jobs ?? (byFleet ? askedAtOnce : defaultJobs());
    await inParallel(notebooks, atOnce, interrupted.signal, async (path, index) => {
      tell(path);
      const onStep = (_: string, cell: CodeCell): void => tell(`${path}, cell ${cell.number}`);
      done[index] = await (byFleet?.(path) ?? judgeNotebook(path, { ...options[index]!, onStep }));
      finished += 1;
      // In the order of the paths, whichever is done first.
      if (interrupted.signal.aborted) return;
      progress.hide();
      for (let next = done[told]; next !== undefined; next = done[++told]) reports.notebook(next);
    });
    // The process ends when the kernels have.
    if (interrupted.signal.aborted) await new Promise(() => undefined);
  } finally {
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
    progress.done();
  }
  const all = done as NotebookReport[];
  const summary = summaryOf(all, performance.now() - started);
  await reports.end(all, summary);
  return exitCodeOf(summary);
}

/** What each notebook is judged with: those under the same file of settings share a model. */
export async function optionsOf(
  notebooks: readonly string[],
  given: CheckFlags,
): Promise<JudgeNotebookOptions[]> {
  const shared = new Map<string | null, CheckOptions>();
  const all: JudgeNotebookOptions[] = [];
  for (const path of notebooks) {
    const flags = await settled(path, given);
    const { settingsFile = null, silenced = [], rehearse = false, dryBudget } = flags;
    const timeout = flags.timeout ?? (rehearse ? rehearsedTimeout : defaultTimeout);
    const rehearsal = rehearse && { rehearse: dryBudget === undefined ? {} : { budgetMs: dryBudget } };
    const check = shared.get(settingsFile) ?? (await checkOptions(flags, 'walk'));
    shared.set(settingsFile, check);
    const quick = given.quick ?? false;
    all.push({ kernel: given, check: { ...check, silenced }, timeout, quick, ...rehearsal });
  }
  return all;
}

/** A kernel has work for about one processor. */
function defaultJobs(): number {
  return Math.max(1, Math.min(mostKernels, availableParallelism()));
}

export async function inParallel<Item>(
  items: readonly Item[],
  jobs: number,
  signal: AbortSignal,
  work: (item: Item, index: number) => Promise<void>,
): Promise<void> {
  const queue = items.entries();
  const worker = async () => {
    for (const [index, item] of queue) {
      if (signal.aborted) return;
      await work(item, index);
    }
  };
  await Promise.all(Array.from({ length: Math.min(jobs, items.length) }, worker));
}
