// A learned model as a method of its own: its category, the strongest symptom of that category as sub-cause and evidence, and
// abstention below the same confidence as everywhere.
import { type Examination, learningVector } from '../detectors/examine.js';
import { healthOf } from '../health/health.js';
import { commitAt, hypothesesOf, round } from '../rules/confidence.js';
import type { DiagnosedCategory, Judgement, Method } from '../rules/diagnosis.js';
import { outcomeOf, outcomeWithoutCause } from '../rules/outcome.js';
import { evidenceFor } from '../rules/weigh.js';
import type { LearnedModel } from '../triage/hybrid.js';

export function learnedMethod(model: LearnedModel): Method {
  return { name: model.name, judge: (examination) => judge(model, examination) };
}

function judge(model: LearnedModel, examination: Examination): Judgement {
  const ranked = (
    Object.entries(model.predict(learningVector(examination))) as [DiagnosedCategory, number][]
  ).sort(([, a], [, b]) => b - a);
  const [category, confidence] = ranked[0]!;
  const symptom = examination.symptoms.find((entry) => entry.category === category);
  const abstains = category === 'unknown' || confidence < commitAt;
  const hypotheses = [
    ...ranked.slice(0, 3).map(([name, probability]) => ({
      category: name,
      subcause: examination.symptoms.find((entry) => entry.category === name)?.subcause ?? null,
      confidence: round(probability),
    })),
    ...hypothesesOf(examination.symptoms, 3).filter(({ subcause }) => subcause !== symptom?.subcause),
  ].slice(0, 5);
  return {
    outcome: abstains
      ? outcomeWithoutCause(examination)
      : category === 'healthy'
        ? 'healthy'
        : symptom
          ? outcomeOf(examination, symptom)
          : outcomeWithoutCause(examination) === 'failed'
            ? 'failed'
            : 'degraded',
    category: abstains ? 'unknown' : category,
    subcause: abstains ? null : (symptom?.subcause ?? null),
    confidence: round(confidence),
    onset: symptom?.onset ?? null,
    evidence: symptom
      ? evidenceFor(symptom, examination.symptoms)
      : category === 'healthy'
        ? (healthOf(examination)?.evidence ?? [])
        : [],
    hypotheses,
    abstention: abstains
      ? category === 'unknown'
        ? { code: 'missing-for-model', model: model.name }
        : { code: 'weak-model', model: model.name, category, confidence: round(confidence) }
      : null,
  };
}
