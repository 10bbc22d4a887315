// Healthy, degraded, failed or unknown: decided from how the run ended and whether it learned, apart from why.
import { causeOf } from '../causes/table.js';
import type { Symptom } from '../detectors/define.js';
import type { Examination } from '../detectors/examination.js';
import { noSkill } from '../detectors/shared/no-skill.js';
import { nonFiniteOf } from '../detectors/shared/nonfinite.js';
import type { RunView } from '../features/view.js';
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
  if (symptom.open) return 'unknown';
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

/** No cause was established: whether the run failed can still be plain. */
export function outcomeWithoutCause(examination: Examination): RunOutcome {
  const { view } = examination;
  if (lossBroke(view)) return 'failed';
  const { kind } = view.ending;
  if (kind !== 'completed' && kind !== 'unknown' && kind !== 'interrupted') return 'failed';
  // Held-out data no better than a constant answer: the run is worth nothing, whatever the reason.
  return noSkill(view) ? 'degraded' : 'unknown';
}
