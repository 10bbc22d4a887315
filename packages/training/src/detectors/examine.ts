// Runs every detector over a record once and settles who is root and who is cascade: what every method starts from.
import { extractFeatures, type FeatureVector, featureTable, makeVector } from '../features/extract.js';
import { type RunView, viewOf } from '../features/view.js';
import type { RunRecord } from '../record/run-record.js';
import { causes, type Subcause } from './causes.js';
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

/** The features and the strength of every sub-cause, as learned models see a run. Missing stays NaN; an unseen sub-cause is 0. */
export function learningVector(examination: Examination): FeatureVector {
  const strengths = new Map<string, number>();
  for (const symptom of examination.symptoms)
    strengths.set(symptom.subcause, Math.max(strengths.get(symptom.subcause) ?? 0, symptom.strength));
  return makeVector([
    ...featureTable.map((feature) => [feature.name, examination.features.get(feature.name)] as const),
    ...Object.keys(causes).map((subcause) => [`symptom_${subcause}`, strengths.get(subcause) ?? 0] as const),
  ]);
}
