/**
 * # Labels do not belong to their inputs
 *
 * ## What
 * The model learns the training set by heart while validation stays at chance level from beginning to end.
 *
 * ## Why
 * With labels shuffled against their inputs there is nothing to generalise; overfitting of a real task first improves
 * validation, then spoils it.
 *
 * ## Example
 * Training accuracy 0.95, validation accuracy 0.10 of ten classes in every epoch, validation loss rising from the first.
 *
 * ## Stays silent
 * When validation was above chance at any time, and without an accuracy on validation.
 */
import { finiteValues, movementOf } from '../../features/curve.js';
import { figure } from '../../record/figures.js';
import { defineDetector } from '../define.js';
import { citePoint } from '../shared/cite.js';
import { chanceAccuracy, learningOf } from '../shared/learning.js';

export const shuffledLabels = defineDetector({
  id: 'data/shuffled-labels',
  subcause: 'shuffled_labels',
  role: 'root',
  signal: 'data',
  needs: ['loss', 'eval'],
  detect: (_record, _features, { view }) => {
    const learning = learningOf(view);
    const chance = chanceAccuracy(view, 'eval');
    if (!learning || !chance) return [];
    const trained = view.curve('accuracy', 'train');
    const reached = trained ? finiteValues(trained).at(-1) : undefined;
    const loss = view.curve('loss', 'eval');
    const movement = loss ? movementOf(loss) : null;
    const rising = movement ? movement.end >= movement.start : false;
    const belowGuessing = (share: number): boolean =>
      learning.movement.end < share * Math.log(chance.outcomes);
    const neverBetter =
      movement !== null && movement.best > 0.99 * Math.log(chance.outcomes) && movement.end > movement.best;
    const memorised =
      (learning.fell && belowGuessing(0.985) && neverBetter && chance.curve.finite.length >= 10) ||
      (learning.fell && belowGuessing(0.99) && rising && chance.curve.finite.length >= 8) ||
      (learning.movement.improvement > 0.15 && belowGuessing(0.9)) ||
      (reached !== undefined && reached > 2 * chance.accuracy);
    if (!memorised || chance.curve.finite.length < 3) return [];
    return [
      {
        strength: rising ? 0.88 : 0.8,
        onset: chance.curve.steps[0] ?? 0,
        evidence: [
          citePoint(
            chance.curve,
            chance.index,
            `validation accuracy ${figure(chance.accuracy)} of ${chance.outcomes} classes, never above chance`,
          ),
          citePoint(
            learning.curve,
            learning.curve.finite.at(-1)!,
            `while ${learning.curve.name} fell from ${figure(learning.movement.start)} to ${figure(learning.movement.end)}`,
          ),
        ],
      },
    ];
  },
});
