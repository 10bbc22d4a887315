// `grus llm record --data DIR`: a model's answers to every instance of a benchmark folder, in the layout of the recorded
// models, so that `--methods recorded:OUT` replays them without a network.
import { join } from 'node:path';
import { type LlmSettings, openModel } from '@grus/llm';
import { Junobench, type Mode } from '../data/load.js';
import { questionOf } from '../methods/question.js';
import { assertAffordable, type Estimate, estimate } from './estimate.js';
import { askLive } from './model.js';

export interface RecordOptions {
  readonly data: string;
  /** The folder that gets one folder for each mode. */
  readonly output: string;
  readonly modes: readonly Mode[];
  readonly settings: LlmSettings;
  readonly signal?: AbortSignal;
  readonly onEstimate?: (estimate: Estimate) => void;
  readonly onQuestion?: (done: number, of: number) => void;
}

export interface Recording {
  readonly output: string;
  readonly model: string;
  readonly modes: readonly Mode[];
  readonly instances: number;
  readonly answers: number;
  /** Votes that no answer came to. */
  readonly missing: number;
}

export async function recordJunobench(options: RecordOptions): Promise<Recording> {
  const { settings, modes, output, signal } = options;
  const bench = Junobench.load(options.data);
  const work = modes.flatMap((mode) =>
    bench.instances.map((instance) => ({ mode, question: questionOf(bench, instance, mode) })),
  );
  const opened = new Map(
    await Promise.all(
      modes.map(async (mode) => [mode, await openModel(settings, { record: join(output, mode) })] as const),
    ),
  );
  const live = { settings, open: opened.get(modes[0]!)!, ...(signal ? { signal } : {}) };
  const planned = await estimate(
    live,
    work.map(({ question }) => ({ question, votes: settings.votes })),
  );
  options.onEstimate?.(planned);
  await assertAffordable(live, planned);
  let done = 0;
  let answers = 0;
  let missing = 0;
  for (const { mode, question } of work) {
    const asked = await askLive({ ...live, open: opened.get(mode)! }, question, settings.votes);
    answers += asked.answers.filter((answer) => answer !== null).length;
    missing += asked.answers.filter((answer) => answer === null).length;
    options.onQuestion?.(++done, work.length);
  }
  return { output, model: planned.model, modes, instances: bench.instances.length, answers, missing };
}
