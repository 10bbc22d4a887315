// Runs every detector over a record once and settles who is root and who is cascade: what every method starts from.

import { categories } from '../causes/define.js';
import { causeOf, subcauses } from '../causes/table.js';
import { wasPassedOver } from '../features/dealt-with.js';
import { wentOnBehind } from '../features/ending.js';
import { extractFeatures, type FeatureVector, featureTable, makeVector } from '../features/extract.js';
import { isAboutNaN } from '../features/nonfinite-text.js';
import { type RunView, viewOf } from '../features/view.js';
import { healthOf } from '../health/health.js';
import type { RunRecord } from '../record/run-record.js';
import { type Symptom, symptomsOf } from './define.js';
import type { Examination } from './examination.js';
import { detectors } from './registry.js';

export type { Examination } from './examination.js';

export function examine(record: RunRecord): Examination {
  const view = viewOf(record);
  const features = extractFeatures(record);
  const found = detectors
    .flatMap((detector) => symptomsOf(detector, record, features, { view }))
    .filter((symptom) => !wasOvercome(view, symptom));
  return { record, view, features, symptoms: settle(found, view) };
}

function settle(found: readonly Symptom[], view: RunView): Symptom[] {
  const first = view.failures[0];
  const aboutNaN = first !== undefined && isAboutNaN(first.text);
  /** A detector that knows this error speaks: what is said of messages in general yields. */
  const known = found.some(
    ({ role, general, subcause, strength, signal }) =>
      role === 'root' &&
      !general &&
      subcause !== 'code_error' &&
      strength >= (signal === 'curve' || signal === 'data' || signal === 'configuration' ? 0.85 : 0.6),
  );
  /** An error ended the run, whatever it means: what spoils a run slowly did not. A launcher that was sent a signal raises none of the run's. */
  const raised = first !== undefined && first.type !== 'SignalException' && view.ending.kind === 'failed';
  const onlySpoils = ({ subcause, signal }: Symptom): boolean =>
    raised && signal === 'curve' && causeOf(subcause).effect === 'spoils';
  /** Some detector says of the error what it means, be it little. */
  const explained = found.some(
    (symptom) => symptom.role === 'root' && symptom.strength >= 0.6 && isAboutEnd(symptom),
  );
  const fatal = found.some(
    (symptom) =>
      symptom.role === 'root' &&
      symptom.strength >= 0.7 &&
      isAboutEnd(symptom) &&
      !causeOf(symptom.subcause).vague &&
      !(symptom.general && known),
  );
  const named = found.some(
    (symptom) =>
      symptom.role === 'root' &&
      symptom.strength >= 0.7 &&
      !causeOf(symptom.subcause).vague &&
      !onlySpoils(symptom) &&
      !(symptom.general && known),
  );
  const outweighed = new Set(found.flatMap(({ role, outweighs }) => (role === 'root' ? outweighs : [])));
  return found
    .map((symptom) => {
      const { effect, vague } = causeOf(symptom.subcause);
      let strength = symptom.strength;
      if (symptom.general && known) strength *= 0.5;
      if (outweighed.has(symptom.signal) && symptom.outweighs.length === 0) strength *= 0.5;
      if (symptom.role === 'cascade' && fatal) strength *= 0.5;
      if (effect === 'spoils' && !isAboutEnd(symptom))
        strength *= fatal || (explained && onlySpoils(symptom)) ? 0.5 : raised ? 0.75 : 1;
      // NaN and divergence stop no process by themselves; an unrelated fatal error weighs more.
      if (effect === 'ruins' && symptom.signal === 'curve' && fatal && !aboutNaN) strength *= 0.75;
      if (vague && symptom.outweighs.length === 0 && (named || aboutNaN)) strength *= 0.6;
      return { ...symptom, strength };
    })
    .sort((a, b) => b.strength - a.strength);
}

/** What stops a process did not stop one that came to its end, or that went on and of which nothing says how it ended. */
function wasOvercome({ ending, record }: RunView, symptom: Symptom): boolean {
  const tellsOfEnd = symptom.signal === 'text' || symptom.signal === 'exit';
  if (!tellsOfEnd || causeOf(symptom.subcause).effect !== 'stops') return false;
  if (ending.kind === 'completed') return true;
  // A machine fails at a time. What is wrong in a program is wrong from its first step on.
  if (ending.kind !== 'unknown' || symptom.category !== 'memory_hardware') return false;
  return (
    symptom.evidence.length > 0 &&
    symptom.evidence.every((cited) => wentOnBehind(record, cited) || wasPassedOver(record, cited))
  );
}

function isAboutEnd(symptom: Symptom): boolean {
  return symptom.signal === 'text' || symptom.signal === 'exit' || symptom.signal === 'memory';
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
    ...subcauses.map(
      (subcause) => [`symptom_${subcause}`, strengths.get(`symptom_${subcause}`) ?? 0] as const,
    ),
    ...named.map((category) => [`root_${category}`, root(category)] as const),
    ...named.map((category) => [`ahead_${category}`, ahead(category)] as const),
    ['strongest', strongest] as const,
    ['health', health] as const,
    ['unexplained', (1 - strongest) * (1 - health)] as const,
  ]);
}
