// The simple rules: 23 in a fixed order, the first that matches decides, no confirmation and no abstention. A baseline that
// anybody can read, and whose fixed thresholds show why weighing measures a run against itself.
import type { Cause } from '../causes/define.js';
import type { Group } from '../causes/groups.js';
import { causeOf, type Subcause } from '../causes/table.js';
import type { Examination } from '../detectors/examine.js';
import { memoryGrowth } from '../features/memory-growth.js';
import { healthOf } from '../health/health.js';
import { hypothesesOf, round } from './confidence.js';
import type { Judgement, Method } from './diagnosis.js';
import { outcomeOf, outcomeWithoutCause } from './outcome.js';
import { evidenceFor } from './weigh.js';

export interface Rule {
  readonly name: string;
  readonly when: string;
  readonly match: (examination: Examination) => Subcause | null;
}

/** Confidence of an answer by a fixed rule; it has nothing to weigh. */
const ruleConfidence = 0.75;

const seen =
  (wanted: (cause: Cause) => boolean) =>
  ({ symptoms }: Examination): Subcause | null =>
    symptoms.find(
      ({ role, strength, subcause }) => role === 'root' && strength >= 0.6 && wanted(causeOf(subcause)),
    )?.subcause ?? null;

const seenIn = (...wanted: readonly Group[]): Rule['match'] => seen(({ group }) => wanted.includes(group));

const over =
  (subcause: Subcause, name: string, limit: number) =>
  ({ features }: Examination): Subcause | null =>
    (features.get(name) ?? Number.NEGATIVE_INFINITY) > limit ? subcause : null;

const rule = (name: string, when: string, match: Rule['match']): Rule => ({ name, when, match });

export const rules: readonly Rule[] = [
  rule(
    'device-memory',
    'the device ran out of memory',
    seenIn('device_capacity', 'device_request', 'device_layout'),
  ),
  rule(
    'host-memory',
    'the host or its shared memory ran out, or a worker was killed',
    seenIn('host_memory', 'shared_memory'),
  ),
  rule('storage', 'the disk is full or too many files are open', seenIn('storage')),
  rule('device-fault', 'the device or driver reports a fault', seenIn('device_fault')),
  rule('outside', 'a scheduler or a signal ended the run', seenIn('outside_stop')),
  rule('index', 'a label or token is out of range', seenIn('index')),
  rule(
    'checkpoint',
    'a checkpoint does not fit',
    seen((cause) => cause === causeOf('checkpoint_mismatch')),
  ),
  rule('tensor', 'shapes, types, devices, heads or positions do not fit', seenIn('tensors')),
  rule('autograd', 'the autograd graph is wrong', seenIn('autograd')),
  rule(
    'environment',
    'versions, builds or packages are wrong',
    seen(({ group, vague }) => group === 'environment' && !vague),
  ),
  rule('reading', 'data is missing, empty, damaged, undecodable or ragged', seenIn('files')),
  rule('communication', 'a collective timed out or a rank is missing', seenIn('communication')),
  rule('nan-input', 'inputs contain NaN', over('nan_in_data', 'input_nan_fraction', 0)),
  rule('nan-half', 'the loss is NaN under fp16', ({ features }) =>
    (features.get('nonfinite_fraction') ?? 0) > 0.05 && features.get('half_precision') === 1
      ? 'precision_overflow'
      : null,
  ),
  rule(
    'nan',
    'more than 5 % of losses and gradient norms are NaN',
    over('learning_rate_too_high', 'nonfinite_fraction', 0.05),
  ),
  rule(
    'explosion',
    'the gradient norm peaks at 100 times its early level',
    over('gradient_explosion', 'gradient_norm_peak', Math.log(100)),
  ),
  rule(
    'divergence',
    'the loss ends at twice its best',
    over('divergence', 'loss_rise_from_best', Math.log(2)),
  ),
  rule('perplexity', 'perplexity is above 60,000', over('catastrophic_perplexity', 'perplexity_level', 11)),
  rule('chance', 'the loss is at the level of guessing', over('chance_level', 'loss_over_chance', 0.97)),
  rule('leak', 'device memory grew by 30 %', over('gpu_leak', 'memory_growth', memoryGrowth.leak.growth)),
  rule('rate-low', 'the learning rate is below its usual span and the loss barely fell', ({ features }) =>
    (features.get('learning_rate_position') ?? 1) < 0 && (features.get('loss_change') ?? -1) > -0.05
      ? 'learning_rate_too_low'
      : null,
  ),
  rule(
    'overfit',
    'the validation loss ends 30 % above its best',
    over('overfit', 'eval_rise_from_best', Math.log(1.3)),
  ),
  rule(
    'exception',
    'any other exception ended the run',
    seen(({ vague }) => vague === true),
  ),
];

export const rulesMethod: Method = { name: 'rules', judge: judgeByRules };

export function judgeByRules(examination: Examination): Judgement {
  const hypotheses = hypothesesOf(examination.symptoms);
  for (const candidate of rules) {
    const subcause = candidate.match(examination);
    if (!subcause) continue;
    const symptom = examination.symptoms.find((entry) => entry.subcause === subcause);
    const { category } = causeOf(subcause);
    return {
      outcome: symptom
        ? outcomeOf(examination, symptom)
        : examination.view.ending.kind === 'failed'
          ? 'failed'
          : 'degraded',
      category,
      subcause,
      confidence: ruleConfidence,
      onset: symptom?.onset ?? null,
      evidence: symptom ? evidenceFor(symptom, examination.symptoms) : [{ fact: candidate.when, file: '' }],
      hypotheses: [
        { category, subcause, confidence: ruleConfidence },
        ...hypotheses.filter((entry) => entry.subcause !== subcause),
      ],
      abstention: null,
    };
  }
  const health = healthOf(examination);
  return {
    outcome: health ? 'healthy' : outcomeWithoutCause(examination),
    category: health ? 'healthy' : 'unknown',
    subcause: null,
    confidence: health ? round(health.confidence) : 0,
    onset: null,
    evidence: health?.evidence ?? [],
    hypotheses,
    abstention: health ? null : { code: 'weak-no-rule' },
  };
}
