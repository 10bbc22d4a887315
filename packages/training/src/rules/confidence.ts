// C(x), the confidence of a cause: the strongest symptom, raised by signals of other kinds that agree, lowered by a rival
// category; and the three reasons for which a method abstains.

import type { Reason } from '@grus/core';
import { causeOf } from '../causes/table.js';
import type { Need, Symptom } from '../detectors/define.js';
import type { Examination } from '../detectors/examine.js';
import { detectors } from '../detectors/registry.js';
import type { RunView } from '../features/view.js';
import { provenHealth } from '../health/health.js';
import type { Hypothesis } from './diagnosis.js';

/** Below this a method abstains. */
export const commitAt = 0.6;
/** Above this rules resolve alone. */
export const resolveAt = 0.85;

/**
 * C(x) = s · (1 - 0.6 · max(0, r - 0.5)) raised to s + (1 - s) · 0.5 · a, where s is the strength of the best symptom, a that of the
 * best agreeing symptom from another kind of signal, r that of the best rival root of another category.
 */
export function confidenceOf(best: Symptom, symptoms: readonly Symptom[]): number {
  const agreeing = symptoms
    .filter((other) => other !== best && other.category === best.category && other.signal !== best.signal)
    .reduce((top, other) => Math.max(top, other.strength), 0);
  const rival = symptoms
    .filter((other) => other.role === 'root' && other.category !== best.category)
    .reduce((top, other) => Math.max(top, other.strength), 0);
  const supported = best.strength + (1 - best.strength) * 0.5 * agreeing;
  return supported * (1 - 0.6 * Math.max(0, rival - 0.5));
}

/** The causes that have any symptom, best first, one entry per sub-cause. */
export function hypothesesOf(symptoms: readonly Symptom[], limit = 5): Hypothesis[] {
  const best = new Map<string, Symptom>();
  for (const symptom of symptoms) {
    const known = best.get(symptom.subcause);
    if (!known || known.strength < symptom.strength) best.set(symptom.subcause, symptom);
  }
  return [...best.values()]
    .map((symptom) => ({
      category: causeOf(symptom.subcause).category,
      subcause: symptom.subcause,
      confidence: round(confidenceOf(symptom, symptoms)),
    }))
    .sort((a, b) => b.confidence - a.confidence)
    .slice(0, limit);
}

export function abstentionOf(examination: Examination, hypotheses: readonly Hypothesis[]): Reason {
  const [first, second] = hypotheses;
  const missing = missingNeeds(examination, hypotheses);
  const rival = hypotheses.find((entry) => entry.category !== first?.category);
  if (first && rival && first.confidence - rival.confidence < 0.15)
    return {
      code: 'conflicting-causes',
      first: [String(first.subcause), first.category],
      second: [String(rival.subcause), rival.category],
    };
  const points = examination.view.curve('loss')?.finite.length ?? 0;
  const proof = first || points < 8 ? null : provenHealth(examination);
  if (proof && 'lack' in proof && proof.lack !== 'end') return { code: 'health-unproven', lack: proof.lack };
  if (missing.length > 0) return { code: 'missing-records', needs: missing };
  if (!first) return { code: 'weak-no-symptom' };
  return {
    code: 'weak-hypothesis',
    subcause: String(first.subcause),
    confidence: first.confidence,
    next: second?.subcause ?? null,
  };
}

/** Of these, what the run did not record. */
export function unrecorded(examination: Examination, needs: readonly Need[]): Need[] {
  return needs.filter((need) => !has(examination.view, need));
}

/** What the leading hypotheses would need and the record lacks; without hypotheses, what any diagnosis starts from. */
export function missingNeeds(examination: Examination, hypotheses: readonly Hypothesis[]): Need[] {
  const wanted = new Set<Need>(hypotheses.length === 0 ? ['text', 'loss', 'exit'] : []);
  const leading = new Set(hypotheses.slice(0, 3).map((entry) => entry.subcause));
  for (const detector of detectors)
    if (leading.has(detector.subcause)) for (const need of detector.needs) wanted.add(need);
  return [...wanted].filter((need) => !has(examination.view, need));
}

function has(view: RunView, need: Need): boolean {
  const { record } = view;
  switch (need) {
    case 'text':
      return record.text.lines.length > 0;
    case 'loss':
      return view.curve('loss') !== null;
    case 'eval':
      return view.curve('loss', 'eval') !== null || view.curve('accuracy', 'eval') !== null;
    case 'gradient':
      return view.curve('grad_norm') !== null;
    case 'learning_rate':
      return (
        view.curve('learning_rate') !== null ||
        record.settings.some((entry) => /lr|learning_rate/i.test(entry.key))
      );
    case 'memory':
      return record.series.some((series) => series.metric.startsWith('memory_'));
    case 'host_memory':
      return record.series.some((series) => series.metric.startsWith('host_memory'));
    case 'throughput':
      return view.curve('step_time') !== null || view.curve('throughput') !== null;
    case 'batch':
      return record.series.some((series) =>
        /^(token_|label_|input_|sequence_length|ignored_)/.test(series.metric),
      );
    case 'settings':
      return record.settings.length > 0;
    case 'exit':
      return record.exits.length > 0 || view.ending.kind !== 'unknown';
  }
}

export function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
