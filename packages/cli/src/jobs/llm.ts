// The work of `grus llm`.
import { GrusError } from '@grus/core';
import { tryModel } from '@grus/llm';
import type { CheckFlags } from '../options/check.js';
import type { ModelOptions } from '../options/model.js';
import { exitCodes, printJson } from '../terminal/output.js';
import { startProgress } from '../terminal/progress.js';
import { check } from './check.js';
import { configuredModel } from './configured-model.js';

export interface LlmTestFlags extends ModelOptions {
  readonly json?: boolean;
}

export async function testModel(flags: LlmTestFlags): Promise<number> {
  const settings = configuredModel(flags);
  const cancel = new AbortController();
  process.once('SIGINT', () => cancel.abort());
  const progress = startProgress();
  progress.update('asking the model');
  const trial = await tryModel(settings, { signal: cancel.signal }).finally(() => progress.done());
  if (flags.json) {
    printJson(trial);
    return exitCodes.nothingBad;
  }
  const { votes, usd_per_check: usd, spent_today_usd: spent } = trial;
  const cost =
    usd === null
      ? 'costs what the provider asks: its price is not known'
      : `costs about $${usd.typical.toFixed(4)}`;
  const limits = `The limits are $${settings.usdPerCheck} per check and $${settings.usdPerDay} per day; $${spent.toFixed(4)} spent today.`;
  process.stdout.write(
    `${trial.model} works: it answered in ${trial.ms} ms (${trial.input_tokens} tokens in, ${trial.output_tokens} out), and ${trial.right ? 'rightly' : 'wrongly'}.\n` +
      `A check asks it ${votes.fewest} to ${votes.most} times and ${cost}${usd === null ? '' : `, at most $${usd.most.toFixed(4)}`}. ${limits}\n` +
      `It is told what "${settings.redaction}" allows; \`grus snapshot --as-sent\` shows the exact text.\n`,
  );
  return exitCodes.nothingBad;
}

export interface RecordFlags extends CheckFlags {
  /** A benchmark folder in place of a notebook. */
  readonly data?: string;
  readonly modes?: readonly string[];
}

export async function recordAnswers(notebook: string | undefined, flags: RecordFlags): Promise<number> {
  configuredModel(flags);
  const { data, record, ...rest } = flags;
  if ((notebook === undefined) === (data === undefined) || record === undefined)
    throw new GrusError('there is nothing to record', {
      advice: 'Give a notebook, or --data DIR with the folder of a benchmark.',
    });
  if (notebook !== undefined) return check([notebook], flags);
  const { recordBenchmark } = await import('./junobench.js');
  return recordBenchmark({ ...rest, data: data!, record });
}
