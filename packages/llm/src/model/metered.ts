// Counts what answers cost and refuses to go beyond the limits: of one check, and of one day over all checks.

import { estimateTokens } from '../question/tokens.js';
import type { Price } from '../settings/settings.js';
import { ModelFailure } from './failure.js';
import type { Ledger } from './ledger.js';
import type { Model } from './model.js';
import { costOf } from './prices.js';

export interface MeterOptions {
  readonly price: Price | null;
  readonly answerTokens: number;
  readonly usdPerCheck: number;
  readonly usdPerDay: number;
  readonly ledger: Ledger;
}

/** One of these is made for each check. What is still in flight counts at its highest possible price. */
export function metered(model: Model, options: MeterOptions): Model {
  const { price, ledger, usdPerCheck, usdPerDay } = options;
  let spent = 0;
  let reserved = 0;
  return {
    name: model.name,
    async ask(request) {
      if (price === null)
        throw new ModelFailure(
          'spending',
          `the price of ${model.name} is not known, so no limit can be kept`,
          {
            advice: 'Set GRUS_MODEL_PRICE=IN,OUT in US dollars per million tokens.',
          },
        );
      const tokens = estimateTokens(request.instructions) + estimateTokens(request.prompt);
      const most = costOf(price, tokens, options.answerTokens);
      if (most > 0 && spent + reserved + most > usdPerCheck)
        throw over(model.name, 'check', usdPerCheck, most);
      reserved += most;
      try {
        if (most > 0 && (await ledger.spentToday()) + reserved > usdPerDay)
          throw over(model.name, 'day', usdPerDay, most);
        const reply = await model.ask(request);
        const { inputTokens, outputTokens } = reply.usage;
        const usd = costOf(price, inputTokens, outputTokens);
        spent += usd;
        if (!reply.replayed)
          await ledger.add({
            model: model.name,
            input_tokens: inputTokens,
            output_tokens: outputTokens,
            usd,
            ms: Math.round(reply.ms),
          });
        return { ...reply, usage: { ...reply.usage, usd } };
      } finally {
        reserved -= most;
      }
    },
  };
}

function over(model: string, span: 'check' | 'day', limit: number, most: number): ModelFailure {
  const name = span === 'check' ? 'GRUS_USD_PER_CHECK' : 'GRUS_USD_PER_DAY';
  return new ModelFailure(
    'spending',
    `an answer of ${model} may cost $${most.toFixed(3)}, which the limit of $${limit} per ${span} does not allow`,
    { advice: `Raise ${name}, or choose a cheaper model.` },
  );
}
