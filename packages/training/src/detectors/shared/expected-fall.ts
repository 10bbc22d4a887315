// How far the loss should have fallen if the weights moved as the optimizer says: to first order, a step along the gradient g with
// rate r lowers the loss by r·|g|² (SGD) or, where each weight moves by about r, by r times the sum of |g|. A loss that
// stays where it is although this says otherwise belongs to weights that do not move; one that could not have fallen has too small a rate.
import { peakLearningRate } from '../../features/configuration.js';
import { finiteValues } from '../../features/curve.js';
import { median } from '../../features/robust.js';
import { numberSetting } from '../../features/task.js';
import type { RunView } from '../../features/view.js';

/** The sum of |g| over its Euclidean norm, for models of unknown size: what a few hundred weights of equal gradient would have. */
const unknownSpread = 20;

/** The fall to expect over the whole run, in units of the loss; null when rate, gradient or steps are not on record. */
export function expectedFall(view: RunView): number | null {
  const rate = peakLearningRate(view);
  const gradient = view.curve('grad_norm');
  const steps = view.record.lastStep;
  if (rate === null || !gradient || gradient.finite.length < 5 || steps === null || steps < 20) return null;
  const clip = numberSetting(view.record, 'gradient_clipping');
  const logged = median(finiteValues(gradient));
  const norm = clip !== null && clip > 0 ? Math.min(clip, logged) : logged;
  if (view.task.optimizer === 'sgd') {
    const momentum = /momentum|nesterov/i.test(view.task.optimizerName ?? '') ? 10 : 1;
    return steps * rate * norm * norm * momentum;
  }
  if (view.task.optimizer === 'unknown') return null;
  const parameters = numberSetting(view.record, 'num_parameters');
  return (
    steps * rate * norm * (parameters === null ? unknownSpread : Math.max(1, 0.3 * Math.sqrt(parameters)))
  );
}

/** The training loss sits where guessing among all classes or words would put it. */
export function isGuessing(view: RunView, loss: number): boolean {
  const { outcomes } = view.task;
  return outcomes !== null && outcomes >= 2 && loss > 0.85 * Math.log(outcomes);
}
