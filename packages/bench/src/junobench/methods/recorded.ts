// A model's recorded answers replayed: the majority decides, as in the study.
import { exceptionsIn } from '../judge/exceptions.js';
import { type Answer, readAnswer } from './answers.js';
import { type Prediction, quietPrediction } from './prediction.js';

export interface Votes {
  readonly crash: number;
  readonly of: number;
  readonly answers: readonly Answer[];
}

export function countVotes(recorded: readonly unknown[]): Votes {
  const answers = recorded.map(readAnswer);
  return { crash: answers.filter((answer) => answer.detection === true).length, of: answers.length, answers };
}

export function majorityPrediction({ crash, of, answers }: Votes): Prediction {
  if (of === 0) return quietPrediction('unknown', 'No answer was recorded.');
  const crashes = crash * 2 > of;
  const speaking = answers.filter((answer) => answer.detection === crashes).map((answer) => answer.reasoning);
  const [explanation = ''] = speaking;
  return {
    outcome: crashes ? 'crash' : 'ok',
    confidence: Math.max(crash, of - crash) / of,
    rung: 'llm',
    exception: crashes ? claimedException(explanation) : null,
    line: null,
    evidence: [{ fact: `${crash} of ${of} answers predict a crash`, source: 'the answers of the model' }],
    explanation,
    remedy: null,
    rungs: [],
    ms: null,
    votes: { crash, of },
    runs: answers.map((answer) => answer.detection),
    ...(crashes ? { explanations: speaking } : {}),
  };
}

/** The exception type that the explanation names, when it names exactly one. */
function claimedException(explanation: string): Prediction['exception'] {
  const named = exceptionsIn(explanation);
  return named.length === 1 ? { type: named[0]!, message: '' } : null;
}
