/**
 * # The loss scale keeps falling
 *
 * ## What
 * The scale of mixed precision halved six times or more without growing once, and is down to 128 or below.
 *
 * ## Why
 * Every halving is a step whose gradients overflowed; at 1 the scaler has nothing left to give, and training stops.
 *
 * ## Stays silent
 * For the halvings at the start, when a scaler that begins high finds its level.
 */
import { figure } from '../../record/figures.js';
import { findSeries } from '../../record/run-record.js';
import { definePrecursor } from '../define.js';
import { citeTail, tailOf } from '../tail.js';

const lowest = 128;
const fewestHalvings = 6;

export const lossScaleFall = definePrecursor({
  id: 'loss-scale-fall',
  title: 'The loss scale keeps falling',
  subcause: 'loss_scale_collapse',
  expected: 'the loss scale collapses: half precision overflows at every step',
  look: ({ record }) => {
    const tail = tailOf(findSeries(record, 'loss_scale'));
    if (tail === null) return [];
    const { values, steps } = tail;
    const last = values.at(-1)!;
    let peak = values.length - 1;
    while (peak > 0 && values[peak - 1]! >= values[peak]!) peak--;
    // The level held before the fall began is its start, not the beginning of the plateau.
    while (peak < values.length - 1 && values[peak + 1] === values[peak]) peak++;
    const halvings = Math.log2(values[peak]! / last);
    if (!(last > 0) || last > lowest || halvings < fewestHalvings) return [];
    const pace = (steps.at(-1)! - steps[peak]!) / halvings;
    return [
      {
        step: steps.at(-1)!,
        evidence: [
          citeTail(
            tail,
            values.length - 1,
            `the loss scale fell from ${figure(values[peak]!)} to ${figure(last)} without a rise`,
          ),
        ],
        leadSteps: Math.max(0, Math.round(Math.log2(Math.max(last, 1)) * pace)),
      },
    ];
  },
});
