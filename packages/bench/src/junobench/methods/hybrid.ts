// The ladder with a model last. A deterministic rung that commits is final; the model is polled only where all of them
// abstained, by the same poll that serves a live model: it stops early, and answers in doubt are no votes.
import { abstention } from '@grus/core';
import { estimateTokens, type Model, ModelFailure, type Poll, poll, type Question } from '@grus/llm';
import { exceptionsIn } from '../judge/exceptions.js';
import type { Prediction } from './prediction.js';
import { tokensOf } from './question.js';

/** Answers that were recorded of each model, and the share of them that commits. */
const votes = 5;
export const defaultAgreement = 0.8;

export interface HybridOptions {
  readonly agreement?: number;
  readonly signal?: AbortSignal;
}

export async function hybridPrediction(
  ladder: Prediction,
  model: Model,
  question: () => Question,
  { agreement = defaultAgreement, signal }: HybridOptions = {},
): Promise<Prediction> {
  if (ladder.outcome !== 'unknown') return ladder;
  const asked = question();
  try {
    const result = await poll(model, asked, {
      votes,
      agreement: Math.ceil(votes * agreement),
      ...(signal ? { signal } : {}),
    });
    return conclude(ladder, result, tokensOf(asked), model.name);
  } catch (error) {
    if (ModelFailure.is(error) && (error.kind === 'not-recorded' || !error.lasts))
      return { ...ladder, explanation: error.message };
    throw error;
  }
}

function conclude(ladder: Prediction, result: Poll, questionTokens: number, model: string): Prediction {
  const { crash, ok, asked, usage } = result;
  const outcome = result.outcome === 'split' ? 'unknown' : result.outcome;
  const agreeing = outcome === 'crash' ? crash : outcome === 'ok' ? ok : [];
  const causes = agreeing.map(({ cause }) => cause);
  const answers = [...crash, ...ok];
  const named = exceptionsIn(causes[0] ?? '');
  return {
    ...ladder,
    outcome,
    confidence: outcome === 'unknown' ? 0 : agreeing.length / asked,
    rung: outcome === 'unknown' ? null : 'llm',
    exception: outcome === 'crash' && named.length === 1 ? { type: named[0]!, message: '' } : null,
    evidence: [
      {
        fact: `${crash.length} of ${asked} answers are sure of a crash`,
        source: 'the answers of the model',
      },
    ],
    explanation: causes[0] ?? ladder.explanation,
    votes: { crash: crash.length, of: asked },
    asked: {
      answers: asked,
      input_tokens: usage.inputTokens || asked * questionTokens,
      output_tokens:
        usage.outputTokens || answers.reduce((sum, answer) => sum + estimateTokens(answer.cause), 0),
    },
    ...(outcome === 'crash' ? { explanations: causes } : {}),
    rungs: [
      ...ladder.rungs,
      {
        rung: 'llm',
        outcome,
        ms: 0,
        ...abstention(
          outcome === 'unknown'
            ? { code: 'votes-split', crash: crash.length, asked, model, problem: null }
            : null,
        ),
      },
    ],
  };
}
