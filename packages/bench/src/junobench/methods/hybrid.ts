// The ladder with a model last. A deterministic rung that commits is final; the model is polled only where all of them
// abstained, by the same poll that serves a live model: it stops early, and answers in doubt are no votes.
import { estimateTokens, ModelFailure, type Poll, poll, type Question, recordedModel } from '@grus/llm';
import { exceptionsIn } from '../judge/exceptions.js';
import type { Prediction } from './prediction.js';
import { tokensOf } from './question.js';

/** Answers that were recorded of each model, and the share of them that commits. */
const votes = 5;
export const defaultAgreement = 0.8;

export async function hybridPrediction(
  ladder: Prediction,
  folder: string,
  question: () => Question,
  agreement = defaultAgreement,
): Promise<Prediction> {
  if (ladder.outcome !== 'unknown') return ladder;
  const asked = question();
  try {
    const result = await poll(recordedModel(folder), asked, {
      votes,
      agreement: Math.ceil(votes * agreement),
    });
    return conclude(ladder, result, tokensOf(asked));
  } catch (error) {
    if (ModelFailure.is(error)) return { ...ladder, explanation: error.message };
    throw error;
  }
}

function conclude(ladder: Prediction, result: Poll, questionTokens: number): Prediction {
  const { crash, ok, asked } = result;
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
        fact: `${crash.length} of ${asked} recorded answers are sure of a crash`,
        source: 'recorded answers',
      },
    ],
    explanation: causes[0] ?? ladder.explanation,
    votes: { crash: crash.length, of: asked },
    asked: {
      answers: asked,
      input_tokens: asked * questionTokens,
      output_tokens: answers.reduce((sum, answer) => sum + estimateTokens(answer.cause), 0),
    },
    ...(outcome === 'crash' ? { explanations: causes } : {}),
    rungs: [
      ...ladder.rungs,
      {
        rung: 'llm',
        outcome,
        ms: 0,
        abstained_because:
          outcome === 'unknown' ? `${crash.length} of ${asked} answers for a crash are no agreement` : null,
      },
    ],
  };
}
