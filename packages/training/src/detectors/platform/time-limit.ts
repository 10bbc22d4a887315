/**
 * # The scheduler's time limit ended the run
 *
 * ## What
 * A scheduler says that the job's wall time was used up.
 *
 * ## Why
 * The run was not failing; it needed longer than it had asked for.
 *
 * ## Example
 * `slurmstepd: error: *** JOB 4242 ON n01 CANCELLED AT 2026-01-01T00:00:00 DUE TO TIME LIMIT ***`.
 *
 * ## Stays silent
 * Speaks weakly where the ranks waited for one of them, or one held up all others: that is why the time was not enough. Silent for time-outs of collective operations: those are the communication's. And where the run says, after its last step, that it saved a
 * checkpoint and leaves because of the limit: it ended as planned.
 */
import type { RunView } from '../../features/view.js';
import { defineDetector } from '../define.js';
import { citeExit } from '../shared/cite.js';
import { fromLine } from '../shared/match.js';
import { isHeldUp } from '../shared/pace.js';
import { stoodStill } from '../shared/stoppage.js';

const leaves = /\blimit\b|wall ?time|requeue|SIGUSR\d|SIGTERM/i;
const saved =
  /(?:checkpoint|state)\b.{0,60}\b(?:saved|written|done|complete)|\bsaved\b.{0,60}\b(?:checkpoint|state)/i;

/** One sentence of the run itself: a scheduler's says nothing of a checkpoint. */
function wasPlanned({ lines }: RunView): boolean {
  return lines.slice(-40).some(({ text }) => text.length < 300 && leaves.test(text) && saved.test(text));
}

export const timeLimit = defineDetector({
  id: 'platform/time-limit',
  subcause: 'time_limit',
  role: 'root',
  signal: 'exit',
  needs: ['exit'],
  detect: (record, _features, { view }) => {
    if (wasPlanned(view)) return [];
    const exit = record.exits.find((entry) => entry.reason === 'timeout');
    const hadReason = stoodStill(view) || isHeldUp(view);
    if (exit)
      return [
        { strength: hadReason ? 0.5 : 0.95, onset: exit.step ?? record.lastStep, evidence: [citeExit(exit)] },
      ];
    return fromLine(
      view,
      /DUE TO TIME LIMIT|walltime .*exceeded|exceeded (its )?(wall ?time|time limit|activeDeadlineSeconds)|DeadlineExceeded.*job|\b(?:task|function|job|container)\b.{0,160}\b(?:hit|reached|exceeded) its timeout of \d+ ?s\b(?!.*\bretr)/i,
      {
        strength: hadReason ? 0.5 : 0.92,
      },
    );
  },
});
