// The work of `grus bench junobench` and `grus llm record --data`: recorded models replayed, a live one asked with an
// estimate first, progress, and a way to stop and go on later.
import { writeFile } from 'node:fs/promises';
import {
  ablationMethods,
  type Estimate,
  type Mode,
  modes,
  recordJunobench,
  renderJunobench,
  renderJunobenchHtml,
  runJunobench,
} from '@grus/bench';
import { GrusError } from '@grus/core';
import { llmSettings, openModel } from '@grus/llm';
import type { ModelOptions } from '../options/model.js';
import { exitCodes, printJson } from '../terminal/output.js';
import { startLongProgress } from '../terminal/progress.js';
import { configuredModel } from './configured-model.js';

export interface JunobenchFlags extends ModelOptions {
  readonly data: string;
  readonly methods?: readonly string[];
  readonly ablation?: boolean;
  readonly judge?: boolean;
  readonly estimate?: boolean;
  /** Where to write the page. */
  readonly html?: string;
  readonly json?: boolean;
}

export async function benchJunobench(flags: JunobenchFlags): Promise<number> {
  const { estimate: estimateOnly = false, judge = false } = flags;
  const methods = methodsOf(flags);
  // A model that no method asks is not opened, whatever the environment names.
  const isAsked = judge || methods?.some((name) => /^live\b/.test(name));
  const settings = isAsked ? llmSettings(flags) : null;
  return cancellable(async (signal, progress) => {
    const live = settings && { settings, open: await openModel(settings), signal };
    const report = await runJunobench({
      data: flags.data,
      judge,
      estimateOnly,
      ...(methods ? { methods } : {}),
      ...(live ? { live } : {}),
      onEstimate: tellEstimate,
      onQuestion: (done, of) => progress.update(`asking the model: ${done} of ${of} questions`),
    });
    progress.done();
    if (flags.html !== undefined) await writeFile(flags.html, renderJunobenchHtml(report));
    if (flags.json) printJson(estimateOnly ? report.estimate : report);
    else if (!estimateOnly) process.stdout.write(`${renderJunobench(report)}\n`);
  });
}

function methodsOf({ methods, ablation, judge, estimate }: JunobenchFlags): readonly string[] | undefined {
  const chosen = ablation ? [...new Set([...(methods ?? ['contracts']), ...ablationMethods])] : methods;
  if (estimate && chosen === undefined && !judge)
    throw new GrusError('there is nothing to estimate: no method asks a model', {
      advice: 'Add --ablation, --judge, or --methods live.',
    });
  return chosen;
}

export interface RecordBenchFlags extends ModelOptions {
  readonly data: string;
  readonly record: string;
  readonly modes?: readonly string[];
  readonly json?: boolean;
}

export async function recordBenchmark(flags: RecordBenchFlags): Promise<number> {
  const settings = configuredModel(flags);
  return cancellable(async (signal, progress) => {
    const recording = await recordJunobench({
      data: flags.data,
      output: flags.record,
      modes: (flags.modes ?? ['code+runtime', 'code']).map(modeNamed),
      settings,
      signal,
      onEstimate: tellEstimate,
      onQuestion: (done, of) => progress.update(`asking the model: ${done} of ${of} questions`),
    });
    progress.done();
    if (flags.json) printJson(recording);
    else
      process.stdout.write(
        `${recording.answers} answers of ${recording.model} are in ${recording.output}${recording.missing === 0 ? '' : `; ${recording.missing} did not come, and the same command asks for them again`}.\n` +
          `Replay them with: grus bench junobench --data ${flags.data} --methods recorded:${flags.record}\n`,
      );
  });
}

function modeNamed(text: string): Mode {
  const mode = modes.find((known) => known === text);
  if (mode) return mode;
  throw new GrusError(`there is no mode "${text}"`, { advice: `Choose from: ${modes.join(', ')}.` });
}

function tellEstimate({ model, questions, answers, cached, input_tokens, usd, usd_most }: Estimate): void {
  const price =
    usd === null || usd_most === null
      ? 'the price is not known (GRUS_MODEL_PRICE)'
      : `about $${usd.toFixed(2)}, at most $${usd_most.toFixed(2)}`;
  process.stderr.write(
    `grus: asking ${model} ${questions} questions for ${answers} answers, ${cached} of them kept from before: ${Math.round(input_tokens / 1000)} thousand tokens in, ${price}\n`,
  );
}

/** Ctrl-C ends the questions in flight; what was answered is kept. */
async function cancellable(
  work: (signal: AbortSignal, progress: ReturnType<typeof startLongProgress>) => Promise<void>,
): Promise<number> {
  const cancel = new AbortController();
  const interrupt = () => cancel.abort();
  process.once('SIGINT', interrupt);
  const progress = startLongProgress();
  try {
    await work(cancel.signal, progress);
    return exitCodes.nothingBad;
  } catch (error) {
    if (!cancel.signal.aborted) throw error;
    progress.done();
    process.stderr.write(
      'grus: stopped. The same command goes on where it stopped: what was answered is kept.\n',
    );
    return exitCodes.interrupted;
  } finally {
    progress.done();
    process.off('SIGINT', interrupt);
  }
}
