// What a static analyser said, read as the study reads it: any reported error predicts a crash.
import type { Diagnostic } from '../data/schemas.js';
import { type Prediction, quietPrediction } from './prediction.js';

export function analyzerPrediction(diagnostics: readonly Diagnostic[]): Prediction {
  const [first] = diagnostics;
  if (first === undefined) return { ...quietPrediction('ok', 'No error was reported.'), confidence: 1 };
  const messages = diagnostics.map((diagnostic) => diagnostic.message);
  return {
    outcome: 'crash',
    confidence: 1,
    rung: 'analyzer',
    exception: null,
    line: null,
    evidence: diagnostics.map((diagnostic) => ({
      fact: diagnostic.message,
      source: diagnostic.code_line ?? 'the cell',
    })),
    explanation: messages.join(' '),
    remedy: null,
    rungs: [],
    ms: null,
  };
}
