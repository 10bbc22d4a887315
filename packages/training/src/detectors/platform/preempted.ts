/**
 * # The scheduler took the machine back
 *
 * ## What
 * A scheduler or cloud says that the job was preempted or the machine reclaimed.
 *
 * ## Why
 * Spot machines and low priority queues are interrupted at any time; the run itself is not at fault.
 *
 * ## Example
 * `slurmstepd: error: *** JOB 7 ON n3 CANCELLED AT ... DUE TO PREEMPTION ***`, `Spot interruption notice received`.
 *
 * ## Stays silent
 * When the word only appears in a setting or in advice.
 */
import { defineDetector } from '../define.js';
import { citeExit } from '../shared/cite.js';
import { fromLine } from '../shared/match.js';

export const preempted = defineDetector({
  id: 'platform/preempted',
  subcause: 'preempted',
  role: 'root',
  signal: 'exit',
  needs: ['exit'],
  detect: (record, _features, { view }) => {
    const exit = record.exits.find((entry) => entry.reason === 'preempted');
    if (exit) return [{ strength: 0.95, onset: exit.step ?? record.lastStep, evidence: [citeExit(exit)] }];
    return fromLine(
      view,
      /DUE TO PREEMPTION|(?:[Ii]nstance|[Nn]ode|[Jj]ob|[Pp]od|VM) (?:was |is being |has been )?(?:preempted|reclaimed)|[Ss]pot (?:instance )?interruption|\bPREEMPTED\b/,
      {
        strength: 0.92,
      },
    );
  },
});
