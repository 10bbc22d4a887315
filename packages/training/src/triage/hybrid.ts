// Triage: what the tree is sure of it resolves, what it half believes a learned model refines, and the rest is escalated to
// a person with ranked hypotheses and what to collect next.
import type { Examination } from '../detectors/examine.js';
import { learningVector } from '../detectors/examine.js';
import type { FeatureVector } from '../features/extract.js';
import { commitAt, resolveAt, round } from '../rules/confidence.js';
import type { DiagnosedCategory, Judgement, Method } from '../rules/diagnosis.js';
import { outcomeOf } from '../rules/outcome.js';
import { evidenceFor, judgeByTree } from '../rules/tree.js';

export interface LearnedModel {
  readonly name: string;
  /** Probability per category, over the vector that `learningVector` makes. */
  predict(vector: FeatureVector): Readonly<Partial<Record<DiagnosedCategory, number>>>;
}

export interface TriageOptions {
  /** Without one, the tree's own answer stands between the two thresholds. */
  readonly learned?: LearnedModel;
}

export interface TriageResult {
  readonly judgement: Judgement;
  readonly tree: Judgement;
  /** The judgement of the learned model, when it was asked. */
  readonly learned: { readonly category: DiagnosedCategory; readonly confidence: number } | null;
}

export function triage(examination: Examination, options: TriageOptions = {}): TriageResult {
  const tree = judgeByTree(examination);
  const { learned: model } = options;
  if (!model || tree.confidence >= resolveAt || tree.confidence < commitAt || tree.abstention)
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
  if (learned.confidence <= tree.confidence) return tree;
  const symptom = examination.symptoms.find((entry) => entry.category === learned.category);
  const confidence = round(learned.confidence * (symptom ? 1 : 0.8));
  if (!symptom && learned.category !== 'healthy') return tree;
  return {
    outcome: symptom ? outcomeOf(examination, symptom) : 'healthy',
    category: learned.category,
    subcause: symptom?.subcause ?? null,
    confidence,
    onset: symptom?.onset ?? null,
    evidence: symptom ? evidenceFor(symptom, examination.symptoms) : tree.evidence,
    hypotheses: [
      { category: learned.category, subcause: symptom?.subcause ?? null, confidence },
      ...tree.hypotheses,
    ],
    abstention: null,
  };
}

export function hybridMethod(options: TriageOptions = {}): Method {
  return { name: 'hybrid', judge: (examination) => triage(examination, options).judgement };
}
