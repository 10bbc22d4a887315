// `grus llm test`: one small real question with a known answer, and from it what a check would cost.
import type { Snapshot } from '@grus/kernel/snapshot';
import { Ledger } from '../model/ledger.js';
import { openModel } from '../model/open.js';
import { costOf, priceOf } from '../model/prices.js';
import { readAnswer } from '../question/answer.js';
import { composeQuestion } from '../question/compose.js';
import type { LlmSettings } from '../settings/settings.js';
import { modelName } from '../settings/spec.js';

export interface Trial {
  readonly model: string;
  readonly ms: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
  /** Whether the answer could be read, and was right. */
  readonly readable: boolean;
  readonly right: boolean;
  readonly votes: { readonly fewest: number; readonly most: number };
  /** `typical`: as many votes as settle it, of the size of this question; `most`: all votes at full length. */
  readonly usd_per_check: { readonly typical: number; readonly most: number } | null;
  readonly spent_today_usd: number;
}

/** A kernel in which `price` exists and `prices` does not. */
const snapshot: Snapshot = {
  version: 1,
  python: { version: [3, 12, 0], implementation: 'CPython', platform: 'linux' },
  cwd: '',
  execution_count: 2,
  objects: {},
  names: {},
  builtins: {},
  absent: ['prices'],
  namespace: ['price'],
  paths: {},
  modules: {},
  files: {},
  versions: {},
  answers: {},
  omitted: [],
};

export async function tryModel(
  settings: LlmSettings,
  { signal }: { readonly signal?: AbortSignal } = {},
): Promise<Trial> {
  const model = (await openModel({ ...settings, cache: null }))();
  const question = composeQuestion({
    mode: 'code+runtime',
    executed: ['price = [3, 4, 5]'],
    target: 'total = sum(price)\nmean = total / len(prices)',
    snapshot,
    redaction: settings.redaction,
    tokens: settings.promptTokens,
  });
  const reply = await model.ask({ ...question, vote: 0, ...(signal ? { signal } : {}) });
  const { answer } = readAnswer(reply.text);
  const { inputTokens, outputTokens } = reply.usage;
  const price = settings.price ?? priceOf(settings.spec);
  return {
    model: modelName(settings.spec),
    ms: Math.round(reply.ms),
    input_tokens: inputTokens,
    output_tokens: outputTokens,
    readable: answer !== null,
    right: answer?.detection === true,
    votes: { fewest: settings.agreement, most: settings.votes },
    usd_per_check: price && {
      typical: settings.agreement * costOf(price, inputTokens, outputTokens),
      most: settings.votes * costOf(price, settings.promptTokens, settings.answerTokens),
    },
    spent_today_usd: await new Ledger(settings.state).spentToday(),
  };
}
