// Healthy, degraded, failed or unknown: decided from how the run ended and whether it learned, apart from why.
import { causeOf } from '../causes/table.js';
import type { RunEvidence, Symptom } from '../detectors/define.js';
import type { Examination } from '../detectors/examine.js';
import { citePoint, citeWhere } from '../detectors/shared/cite.js';
import { divergenceOf } from '../detectors/shared/divergence.js';
import { learningOf, ranLongEnough } from '../detectors/shared/learning.js';
import { wasHandled } from '../detectors/shared/match.js';
import { nonFiniteOf } from '../detectors/shared/nonfinite.js';
import { finiteValues, movementOf } from '../features/curve.js';
import { median } from '../features/robust.js';
import { numberSetting } from '../features/task.js';
import type { RunView } from '../features/view.js';
import { figure } from '../record/figures.js';
import type { RunOutcome } from './diagnosis.js';

/** A cause was found: did it end the run, or only spoil it? */
export function outcomeOf(examination: Examination, symptom: Symptom): RunOutcome {
  const { view } = examination;
  if (
    view.ending.kind === 'failed' ||
    view.ending.kind === 'killed' ||
    view.ending.kind === 'stopped_from_outside'
  )
    return 'failed';
  if (symptom.signal === 'text' || symptom.signal === 'exit')
    return view.ending.kind === 'completed' ? 'degraded' : 'failed';
  const broke =
    lossBroke(view) || (causeOf(symptom.subcause).effect === 'ruins' && nonFiniteOf(view) !== null);
  return broke ? 'failed' : 'degraded';
}

/** The last loss is NaN or infinite: the run is lost whatever the cause, and whatever its exit code. */
function lossBroke(view: RunView): boolean {
  const last = view.curve('loss')?.values.at(-1);
  return last !== undefined && !Number.isFinite(last);
}

/** Fall of a language model's loss that is far beyond noise: perplexity fell by a quarter. */
const wordsLearned = 0.3;

export interface Health {
  /** How certain it is that nothing is wrong. */
  readonly confidence: number;
  readonly evidence: readonly RunEvidence[];
}

/** What speaks for a healthy run; null when too little is on record to say so, or when it did not end well. */
export function healthOf(examination: Examination): Health | null {
  const { view, features } = examination;
  if (view.ending.kind !== 'completed' && view.ending.kind !== 'unknown') return null;
  if (view.ending.kind === 'unknown' && view.failures.some((failure) => !wasHandled(view, failure)))
    return null;
  if (view.ending.kind === 'unknown' && examination.record.exits.some(({ reason }) => reason === 'running'))
    return null;
  if (nonFiniteOf(view) || divergenceOf(view)) return null;
  const learning = learningOf(view);
  const evidence: RunEvidence[] = [];
  if (view.ending.kind === 'completed')
    evidence.push(citeWhere(`the run completed: ${view.ending.fact}`, view.ending.at));
  if (learning)
    evidence.push(
      citePoint(
        learning.curve,
        learning.curve.finite.at(-1)!,
        `${learning.curve.name} went from ${figure(learning.movement.start)} to ${figure(learning.movement.end)}`,
      ),
    );
  const accuracy = features.get('accuracy_level');
  // At or above the level of guessing after a long run, a falling loss only came back from where it should not have been.
  const guesses = (features.get('loss_over_chance') ?? 0) > 0.97 && ranLongEnough(view);
  const fine =
    (learning?.fell === true && !guesses) ||
    (!learning && validationFell(view)) ||
    (accuracy !== undefined && accuracy > 0.6) ||
    rewardRose(view) ||
    (features.get('loss_over_chance') ?? 1) < 0.6;
  const done = view.ending.kind === 'completed';
  if (done && fine) return { confidence: 0.93, evidence };
  if (done && (view.task.fineTuning || view.task.loss === 'reinforcement'))
    return { confidence: 0.8, evidence };
  if (done && learning && learning.movement.count < 8) return { confidence: 0.7, evidence };
  if (done && !learning) return { confidence: 0.62, evidence };
  if (done) return learning?.flat && ranLongEnough(view) ? null : { confidence: 0.65, evidence };
  const progress = features.get('progress') ?? null;
  if ((progress !== null && progress < 0.95) || epochsMissing(view)) return null;
  if (adversariesStayLevel(view)) return { confidence: 0.65, evidence };
  if (
    progress === null &&
    learning &&
    learning.movement.improvement < 0.1 &&
    !(
      view.task.loss === 'language_model' && learning.movement.start - learning.movement.end > wordsLearned
    ) &&
    !(accuracy !== undefined && accuracy > 0.6) &&
    !rewardRose(view)
  )
    return null;
  return fine ? { confidence: progress === null ? 0.72 : 0.9, evidence } : null;
}

/** The settings ask for more epochs than were logged, and nothing speaks of stopping early. */
function epochsMissing(view: RunView): boolean {
  const planned = numberSetting(view.record, 'epochs');
  const logged = view.curve('epoch');
  if (planned === null || !logged || logged.finite.length === 0) return false;
  const last = Math.max(...finiteValues(logged)) + 1;
  const mayStop =
    view.record.settings.some(({ key }) => /early|patience/i.test(key)) ||
    view.lines.some(({ text }) => /early.?stop|patience/i.test(text));
  return planned > 1 && last < 0.9 * planned && !mayStop;
}

/** Where only validation is on record, as boosted trees log it: its error fell, and ended near its best. */
function validationFell(view: RunView): boolean {
  const curve = view.curve('loss', 'eval');
  const movement = curve ? movementOf(curve) : null;
  return (
    movement !== null &&
    movement.improvement >= 0.2 &&
    movement.end - movement.best < 0.2 * (movement.start - movement.best)
  );
}

/** The loss of a policy means little; what it earns says whether it learns. */
function rewardRose(view: RunView): boolean {
  const curve = view.curve('reward');
  const movement = curve ? movementOf(curve) : null;
  return movement !== null && movement.end > movement.start + 2 * movement.noise;
}

/** Two players' losses are not meant to fall: over many points both stay within the span they have had since they began. */
function adversariesStayLevel(view: RunView): boolean {
  const curves = view.curves('loss', 'train').filter((curve) => curve.length >= 40);
  if (view.task.loss !== 'reinforcement' || view.curve('reward') || curves.length < 2) return false;
  return curves.every((curve) => {
    const values = finiteValues(curve);
    const half = Math.floor(values.length / 2);
    const early = values.slice(0, half);
    const late = values.slice(half);
    return (
      values.length === curve.length &&
      median(late) < 2 * Math.max(...early) &&
      median(late) > 0.1 * median(early)
    );
  });
}

/** No cause was established: whether the run failed can still be plain. */
export function outcomeWithoutCause(examination: Examination): RunOutcome {
  const { view } = examination;
  if (lossBroke(view)) return 'failed';
  return view.ending.kind === 'completed' || view.ending.kind === 'unknown' ? 'unknown' : 'failed';
}
