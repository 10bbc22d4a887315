// Whether a prediction found the crash and its cause: detection first, then the judge on what the method said.
import type { Instance } from '../data/load.js';
import type { Prediction } from '../methods/prediction.js';
import { judgeExplanation } from './judge.js';

/**
 * True when the method was right about the instance and, for a crash, explained it as the experts did. A method that
 * gives several explanations is judged by the majority of them.
 */
export function isDiagnosed(prediction: Prediction, instance: Instance, code: string): boolean {
  const predicted = prediction.outcome === 'crash';
  if (predicted !== instance.crashes) return false;
  if (!instance.crashes) return true;
  const texts = prediction.explanations ?? [describePrediction(prediction)];
  const agreeing = texts.filter((text) => judgeExplanation(text, instance.label, code).agrees);
  return agreeing.length * 2 > texts.length;
}

/** What a prediction says in words, for a judge. */
export function describePrediction({ exception, explanation, evidence }: Prediction): string {
  const raised = exception === null ? '' : `${exception.type}: ${exception.message}. `;
  return `${raised}${explanation} ${evidence.map(({ fact }) => fact).join(' ')}`;
}
