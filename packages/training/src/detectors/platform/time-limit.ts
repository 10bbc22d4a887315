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
 * For time-outs of collective operations: those are the communication's.
 */
import { defineDetector } from '../define.js';
import { citeExit } from '../shared/cite.js';
import { fromLine } from '../shared/match.js';

export const timeLimit = defineDetector({
  id: 'platform/time-limit',
  subcause: 'time_limit',
  role: 'root',
  signal: 'exit',
  needs: ['exit'],
  detect: (record, _features, { view }) => {
    if (view.ending.kind === 'completed') return [];
    const exit = record.exits.find((entry) => entry.reason === 'timeout');
    if (exit) return [{ strength: 0.95, onset: exit.step ?? record.lastStep, evidence: [citeExit(exit)] }];
    return fromLine(
      view,
      /DUE TO TIME LIMIT|walltime .*exceeded|exceeded (its )?(wall ?time|time limit|activeDeadlineSeconds)|DeadlineExceeded.*job/i,
      {
        strength: 0.92,
      },
    );
  },
});
