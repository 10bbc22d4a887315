// Triage: what the rules are sure of they resolve, what they half believe a learned model refines, of the rest trees look at the course, and
// what they are not sure of either is escalated to a person with ranked hypotheses and what to collect next.
import type { Reason } from '@grus/core';
import type { Examination } from '../detectors/examine.js';
import { learningVector } from '../detectors/examine.js';
import type { FeatureVector } from '../features/extract.js';
import { healthOf } from '../health/health.js';
import { commitAt, resolveAt, round } from '../rules/confidence.js';
import type { DiagnosedCategory, Judgement, Method } from '../rules/diagnosis.js';
import { outcomeOf, outcomeWithoutCause } from '../rules/outcome.js';
import { evidenceFor, judgeByWeight } from '../rules/weigh.js';
import { secondLook } from './second-look.js';

/** Strength a symptom needs for a learned model to prefer it to what the rules chose. */
const enoughToOverrule = 0.6;

export interface LearnedModel {
  readonly name: string;
  /** Probability per category, over the vector that `learningVector` makes. */
  predict(vector: FeatureVector): Readonly<Partial<Record<DiagnosedCategory, number>>>;
}

export interface TriageOptions {
  /** Without one, the rules' own answer stands between the two thresholds. */
  readonly learned?: LearnedModel;
}

export interface TriageResult {
  readonly judgement: Judgement;
  readonly tree: Judgement;
  /** The judgement of the learned model, when it was asked. */
  readonly learned: { readonly category: DiagnosedCategory; readonly confidence: number } | null;
}

/** What the rules believe so far is worth a learned model's view. */
export function isHalfBelieved(confidence: number): boolean {
  return confidence >= commitAt && confidence < resolveAt;
}

export function triage(examination: Examination, options: TriageOptions = {}): TriageResult {
  const tree = judgeByWeight(examination);
  const { learned: model } = options;
  const seen = tree.abstention ? secondLook(examination, tree) : null;
  if (seen) return { judgement: seen, tree, learned: null };
  if (!model || tree.abstention || !isHalfBelieved(tree.confidence))
    return { judgement: tree, tree, learned: null };
  const learned = strongest(model.predict(learningVector(examination)));
  if (!learned) return { judgement: tree, tree, learned: null };
  return { judgement: refine(examination, tree, learned), tree, learned };
}

type Vote = { readonly category: DiagnosedCategory; readonly confidence: number };

function strongest(probabilities: Readonly<Partial<Record<DiagnosedCategory, number>>>): Vote | null {
  let best: Vote | null = null;
  for (const [category, confidence] of Object.entries(probabilities) as [DiagnosedCategory, number][])
    if (!best || confidence > best.confidence) best = { category, confidence };
  return best;
}

function refine(examination: Examination, tree: Judgement, learned: Vote): Judgement {
  if (learned.category === tree.category)
    return { ...tree, confidence: round(1 - (1 - tree.confidence) * (1 - 0.5 * learned.confidence)) };
  if (learned.confidence <= tree.confidence || learned.confidence < resolveAt) return tree;
  if (learned.category === 'unknown')
    return escalate(examination, tree, { code: 'missing-for-cause', cause: tree.subcause ?? tree.category });
  if (learned.category === 'healthy') return turnHealthy(examination, tree, learned);
  const symptom = examination.symptoms.find(
    (entry) =>
      entry.category === learned.category && entry.role === 'root' && entry.strength >= enoughToOverrule,
  );
  // Without a detector's evidence a learned model may not name a cause, least of all in a run that looks well.
  if (!symptom) return tree;
  const confidence = round(learned.confidence);
  return {
    outcome: outcomeOf(examination, symptom),
    category: learned.category,
    subcause: symptom.subcause,
    confidence,
    onset: symptom.onset,
    evidence: evidenceFor(symptom, examination.symptoms),
    hypotheses: [
      { category: learned.category, subcause: symptom.subcause, confidence },
      ...tree.hypotheses.filter((entry) => entry.subcause !== symptom.subcause),
    ],
    abstention: null,
  };
}

/** A weak symptom in a run that otherwise looks well; where it does not, the two views conflict. */
function turnHealthy(examination: Examination, tree: Judgement, learned: Vote): Judgement {
  const health = healthOf(examination);
  if (!health)
    return escalate(examination, tree, {
      code: 'conflicting-healthy',
      cause: tree.subcause ?? tree.category,
    });
  return {
    outcome: 'healthy',
    category: 'healthy',
    subcause: null,
    confidence: round(Math.min(learned.confidence, health.confidence)),
    onset: null,
    evidence: health.evidence,
    hypotheses: tree.hypotheses,
    abstention: null,
  };
}

/** Left to a person, with the hypotheses as they stand. */
function escalate(examination: Examination, tree: Judgement, abstention: Reason): Judgement {
  return {
    ...tree,
    outcome: outcomeWithoutCause(examination),
    category: 'unknown',
    subcause: null,
    confidence: round(tree.confidence * 0.7),
    abstention,
  };
}

export function hybridMethod(options: TriageOptions = {}): Method {
  return { name: 'hybrid', judge: (examination) => triage(examination, options).judgement };
}
