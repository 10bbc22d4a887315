// What asking a model takes: how many checks never reach it, and tokens and list price for a hundred checks.
import { costOf } from '@grus/llm';
import type { Estimate } from './live/estimate.js';
import type { JudgedPrediction } from './measure.js';
import type { Method } from './methods/names.js';
import { priceOfFolder } from './methods/question.js';

export interface Asking {
  /** Share of the checks that a model was never asked about. */
  readonly never_asked: number;
  readonly answers_per_100: number;
  /** By estimate, and without what a model thinks to itself. */
  readonly input_tokens_per_100: number;
  readonly output_tokens_per_100: number;
  /** Null for a model without a list price. */
  readonly usd_per_100: number | null;
}

export function askingOf(
  judged: readonly JudgedPrediction[],
  method: Method,
  live: Estimate | null,
): Asking | null {
  if (method.kind === 'ladder' || method.kind === 'analyzer') return null;
  const asked = judged.flatMap(({ prediction }) => (prediction.asked ? [prediction.asked] : []));
  const per100 = (total: number) => (judged.length === 0 ? 0 : (total / judged.length) * 100);
  const sum = (of: (entry: (typeof asked)[number]) => number) =>
    per100(asked.reduce((total, entry) => total + of(entry), 0));
  const input = sum((entry) => entry.input_tokens);
  const output = sum((entry) => entry.output_tokens);
  const price = 'model' in method ? priceOfFolder(method.model) : (live?.price ?? null);
  return {
    never_asked:
      judged.length === 0 ? 0 : 1 - asked.filter(({ answers }) => answers > 0).length / judged.length,
    answers_per_100: Math.round(sum((entry) => entry.answers)),
    input_tokens_per_100: Math.round(input),
    output_tokens_per_100: Math.round(output),
    usd_per_100: price && costOf(price, input, output),
  };
}
