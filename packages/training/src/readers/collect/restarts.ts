// A step that goes back and then on again is a restart: from a checkpoint, or a second run into the same files.
import type { Restart } from '../../record/run-record.js';
import type { Series } from '../../record/series.js';

/** Two writers interleaved look like endless restarts; a run that restarts this often per point does not exist. */
const mostRestartsPerPoint = 0.1;

export function findRestarts(series: readonly Series[]): Restart[] {
  const candidates = series
    .filter(
      (curve) =>
        curve.hasSteps &&
        curve.split === 'train' &&
        (curve.metric === 'loss' || curve.metric === 'learning_rate'),
    )
    .sort((a, b) => (a.metric === b.metric ? b.length - a.length : a.metric === 'loss' ? -1 : 1));
  const curve = candidates[0];
  if (curve === undefined) return [];
  const restarts: Restart[] = [];
  for (let at = 1; at < curve.length; at++) {
    const step = curve.steps[at]!;
    const previous = curve.steps[at - 1]!;
    if (step >= previous) continue;
    const next = curve.steps[at + 1];
    if (next !== undefined && next < step) continue;
    const time = curve.times[at]!;
    restarts.push({
      fromStep: previous,
      toStep: step,
      at: curve.where(at),
      time: Number.isNaN(time) ? null : time,
    });
  }
  return restarts.length > Math.max(2, curve.length * mostRestartsPerPoint) ? [] : restarts.slice(0, 1000);
}
