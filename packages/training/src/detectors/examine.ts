// Runs every detector over a record once and settles who is root and who is cascade: what every method starts from.
import { extractFeatures, type FeatureVector, featureTable, makeVector } from '../features/extract.js';
import { type RunView, viewOf } from '../features/view.js';
import type { RunRecord } from '../record/run-record.js';
import { healthOf } from '../rules/outcome.js';
import { categories, causes, type Subcause } from './causes.js';
import { type Symptom, symptomsOf } from './define.js';
import { detectors } from './registry.js';
import { nonFiniteText } from './shared/nonfinite.js';

export interface Examination {
  readonly record: RunRecord;
  readonly view: RunView;
  readonly features: FeatureVector;
  /** Strongest first, cascades and by-products already weakened. */
  readonly symptoms: readonly Symptom[];
}

export function examine(record: RunRecord): Examination {
  const view = viewOf(record);
  const features = extractFeatures(record);
  const found = detectors.flatMap((detector) => symptomsOf(detector, record, features, { view }));
  return { record, view, features, symptoms: settle(found, view) };
}

/** Spoils a run slowly; says nothing about an exception that ended it. */
const slowSpoilers = new Set<Subcause>([
  'overfit',
  'train_eval_gap',
  'plateau',
  'learning_rate_too_low',
  'oscillation',
  'slowdown',
  'straggler',
  'chance_level',
  'shuffled_labels',
  'gradient_vanishing',
  'catastrophic_perplexity',
  'restart_loop',
]);

/** Errors of any kind follow from these, so they yield to what names a cause. */
const vague = new Set<Subcause>(['code_error', 'invalid_configuration']);

function settle(found: readonly Symptom[], view: RunView): Symptom[] {
  const first = view.failures[0];
  const aboutNaN = first !== undefined && nonFiniteText.test(first.text);
  const fatal = found.some(
    (symptom) =>
      symptom.role === 'root' &&
      symptom.strength >= 0.7 &&
      isAboutEnd(symptom) &&
      !vague.has(symptom.subcause),
  );
  const named = found.some(
    (symptom) => symptom.role === 'root' && symptom.strength >= 0.7 && !vague.has(symptom.subcause),
  );
  return found
    .map((symptom) => {
      let strength = symptom.strength;
      if (symptom.role === 'cascade' && fatal) strength *= 0.5;
      if (slowSpoilers.has(symptom.subcause) && fatal) strength *= 0.5;
      if (isBroken(symptom) && fatal && !aboutNaN) strength *= 0.75;
      if (vague.has(symptom.subcause) && (named || aboutNaN)) strength *= 0.6;
      return { ...symptom, strength };
    })
    .sort((a, b) => b.strength - a.strength);
}

function isAboutEnd(symptom: Symptom): boolean {
  return symptom.signal === 'text' || symptom.signal === 'exit' || symptom.signal === 'memory';
}

/** NaN and divergence stop no process by themselves; an unrelated fatal error weighs more. */
function isBroken(symptom: Symptom): boolean {
  return symptom.signal === 'curve' && symptom.category === 'optimization';
}

/**
 * The features, the strength of every sub-cause, the strongest of each category, how well the run looks and how far neither symptoms
 * nor health explain it, as learned models see it: an additive model cannot combine them for itself. The categories let a model judge
 * causes that none of its training runs had. Missing stays NaN; an unseen sub-cause is 0.
 */
export function learningVector(examination: Examination): FeatureVector {
  const strengths = new Map<string, number>();
  const raise = (key: string, strength: number): void => {
    strengths.set(key, Math.max(strengths.get(key) ?? 0, strength));
  };
  for (const { subcause, category, role, strength } of examination.symptoms) {
    raise(`symptom_${subcause}`, strength);
    // A cascade that no root explains is already weakened by `settle` where one does: what is left of it counts.
    if (role !== 'confirmation') raise(`root_${category}`, strength);
  }
  const named = categories.filter((category) => category !== 'unknown');
  const root = (category: string): number => strengths.get(`root_${category}`) ?? 0;
  /** How far a category stands before the best of the others: an additive model cannot compare for itself. */
  const ahead = (category: string): number =>
    root(category) - Math.max(...named.filter((other) => other !== category).map(root));
  const strongest = Math.max(...named.map(root));
  const health = healthOf(examination)?.confidence ?? 0;
  return makeVector([
    ...featureTable.map((feature) => [feature.name, examination.features.get(feature.name)] as const),
    ...Object.keys(causes).map(
      (subcause) => [`symptom_${subcause}`, strengths.get(`symptom_${subcause}`) ?? 0] as const,
    ),
    ...named.map((category) => [`root_${category}`, root(category)] as const),
    ...named.map((category) => [`ahead_${category}`, ahead(category)] as const),
    ['strongest', strongest] as const,
    ['health', health] as const,
    ['unexplained', (1 - strongest) * (1 - health)] as const,
  ]);
}
