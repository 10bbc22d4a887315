// What asking the configured model will take, before anything is asked: from the real questions, without what the cache
// already answers.
import { GrusError } from '@grus/core';
import { costOf, isCached, Ledger, modelName, type Price, priceOf, type Question } from '@grus/llm';
import { tokensOf } from '../methods/question.js';
import type { LiveModel } from './model.js';

/** Tokens of an answer that says what it must; models that think to themselves take more. */
const typicalAnswer = 300;

export interface Estimate {
  readonly model: string;
  readonly questions: number;
  readonly answers: number;
  /** Of them, those that are in the cache. */
  readonly cached: number;
  readonly input_tokens: number;
  /** US dollars per million tokens; null when nobody has said. */
  readonly price: Price | null;
  /** US dollars with answers of ordinary length; null for a model without a price. */
  readonly usd: number | null;
  /** With every answer at its full length. */
  readonly usd_most: number | null;
}

/** One question and how often it is asked. */
export interface Planned {
  readonly question: Question;
  readonly votes: number;
}

export async function estimate({ settings }: LiveModel, planned: readonly Planned[]): Promise<Estimate> {
  const model = modelName(settings.spec);
  let answers = 0;
  let cached = 0;
  let tokens = 0;
  for (const { question, votes } of planned)
    for (let vote = 0; vote < votes; vote++) {
      answers++;
      if (settings.cache !== null && (await isCached(settings.cache, model, { ...question, vote }))) cached++;
      else tokens += tokensOf(question);
    }
  const price = settings.price ?? priceOf(settings.spec);
  const fresh = answers - cached;
  return {
    model,
    questions: planned.length,
    answers,
    cached,
    input_tokens: tokens,
    price,
    usd: price && costOf(price, tokens, fresh * typicalAnswer),
    usd_most: price && costOf(price, tokens, fresh * settings.answerTokens),
  };
}

/** Refuses what the limit of the day would stop half-way. */
export async function assertAffordable({ settings }: LiveModel, { usd, model }: Estimate): Promise<void> {
  const left = settings.usdPerDay - (await new Ledger(settings.state).spentToday());
  if (usd === null || usd <= left) return;
  throw new GrusError(
    `asking ${model} takes about $${usd.toFixed(2)}, and the limit of $${settings.usdPerDay} per day leaves $${left.toFixed(2)}`,
    { advice: 'Raise GRUS_USD_PER_DAY, choose a cheaper model, or run fewer methods.' },
  );
}
