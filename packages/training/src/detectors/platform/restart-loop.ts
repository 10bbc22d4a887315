/**
 * # The run keeps restarting
 *
 * ## What
 * Training went back to an earlier step three times or more without getting much further.
 *
 * ## Why
 * An elastic launcher restarts after every crash; a crash that comes back each time makes a loop.
 *
 * ## Example
 * Steps 0 to 400, again 0 to 400, again 0 to 390.
 *
 * ## Stays silent
 * For one or two restarts that got further: that is what checkpoints are for. For folds, models and seeds: without a word of a
 * failure or of going on from a checkpoint those are runs one after the other.
 */
import type { RunView } from '../../features/view.js';
import { resumed } from '../../readers/collect/last-attempt.js';
import { defineDetector } from '../define.js';
import { citeWhere } from '../shared/cite.js';
import { findLine } from '../shared/match.js';

const announcedRound =
  /\b(k-?)?(fold|trial|split|stage|phase|seed|repeat|repetition|task|member)\b\W{0,4}(no\.? ?|number )?#?\d+/i;

/** Training alone never starts itself again: somebody or something tells that it stopped, or that it goes on. */
function tellsOfIt(view: RunView): boolean {
  return view.failures.length > 0 || view.record.exits.length > 0 || findLine(view, resumed) !== null;
}

export const restartLoop = defineDetector({
  id: 'platform/restart-loop',
  subcause: 'restart_loop',
  role: 'cascade',
  signal: 'curve',
  needs: ['loss'],
  detect: (record, _features, { view }) => {
    if (record.restarts.length < 3 || view.ending.kind === 'completed') return [];
    const tops = record.restarts.map((restart) => restart.fromStep);
    const reached = Math.max(...tops);
    const stuck = tops.filter((top) => top <= reached && top >= 0.8 * reached).length >= 3;
    if (!stuck || (record.lastStep ?? 0) > 1.3 * reached) return [];
    if (findLine(view, announcedRound) || !tellsOfIt(view)) return [];
    const first = record.restarts[0]!;
    return [
      {
        strength: 0.72,
        onset: first.fromStep,
        evidence: [
          citeWhere(
            `${record.restarts.length} restarts, none past step ${reached}`,
            first.at,
            first.fromStep,
          ),
        ],
      },
    ];
  },
});
