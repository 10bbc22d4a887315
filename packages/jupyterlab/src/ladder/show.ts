// What a model would be told about a cell, shown instead of sent.
import {
  costOf,
  estimateTokens,
  type LlmSettings,
  llmSettings,
  priceOf,
  type Question,
  questionFor,
  requestAsSent,
} from '@grus/llm';
import { type CheckTarget, checkCell } from '@grus/notebook';
import type { LadderReply, LadderRequest } from './request.js';

export async function showQuestion(target: CheckTarget, request: LadderRequest): Promise<LadderReply> {
  const { model, redaction } = request;
  const settings = llmSettings({ ...(model === '' ? {} : { model }), redaction });
  if (settings === null)
    return {
      kind: 'error',
      message: 'no model is configured',
      advice: 'Name one in the settings of Grus, or in GRUS_MODEL where the server is started.',
    };
  let question: Question | null = null;
  const verdict = await checkCell(target, {
    strict: true,
    last: {
      name: 'llm',
      run: async (context, earlier) => {
        question = await questionFor(context, earlier, { settings });
        return { outcome: 'unknown', reason: { code: 'only-shown' } };
      },
    },
  });
  if (question === null) return { kind: 'verdict', verdict };
  const { instructions, prompt } = question as Question;
  const sent = await requestAsSent(settings, question);
  const shown = { kind: 'shown', about: prompt } as const;
  return sent === null
    ? { ...shown, to: '', text: `${instructions}\n\n${prompt}`, usd: 0 }
    : { ...shown, to: sent.url, text: sent.body, usd: mostUsd(settings, question) };
}

/** All votes at the longest answers, within the limit of one check. */
function mostUsd(
  { price, spec, votes, answerTokens, usdPerCheck }: LlmSettings,
  { instructions, prompt }: Question,
): number | null {
  const known = price ?? priceOf(spec);
  if (known === null) return null;
  const tokens = estimateTokens(instructions) + estimateTokens(prompt);
  return Math.min(usdPerCheck, votes * costOf(known, tokens, answerTokens));
}
