// The configured model in the benchmark: every vote of every question is asked for, as in the study. What was answered is
// in the cache, so that a run that was interrupted goes on where it stopped.
import { GrusError } from '@grus/core';
import { type LlmSettings, ModelFailure, type OpenModel, type Question } from '@grus/llm';

export interface LiveModel {
  readonly settings: LlmSettings;
  readonly open: OpenModel;
  readonly signal?: AbortSignal;
  /** Hears of every question that is done. */
  readonly onQuestion?: () => void;
}

export interface LiveAnswers {
  /** The texts in the order of the votes; null where none came. */
  readonly answers: readonly (string | null)[];
  readonly input_tokens: number;
  readonly output_tokens: number;
}

export async function askLive(live: LiveModel, question: Question, votes: number): Promise<LiveAnswers> {
  const model = live.open();
  const signal = live.signal ? { signal: live.signal } : {};
  const settled = await Promise.allSettled(
    Array.from({ length: votes }, (_, vote) => model.ask({ ...question, vote, ...signal })),
  );
  const replies = settled.map((result) => {
    if (result.status === 'fulfilled') return result.value;
    if (ModelFailure.is(result.reason) && !result.reason.lasts) return null;
    throw stopped(result.reason);
  });
  live.onQuestion?.();
  return {
    answers: replies.map((reply) => reply?.text ?? null),
    input_tokens: replies.reduce((sum, reply) => sum + (reply?.usage.inputTokens ?? 0), 0),
    output_tokens: replies.reduce((sum, reply) => sum + (reply?.usage.outputTokens ?? 0), 0),
  };
}

/** A failure that every further question would meet ends the run; what was answered is kept. */
export function stopped(error: unknown): unknown {
  if (!ModelFailure.is(error)) return error;
  return new GrusError(`the benchmark stopped: ${error.message}`, {
    advice: `${error.advice} The same command goes on where it stopped: what was answered is kept.`,
    cause: error,
  });
}
