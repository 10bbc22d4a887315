/**
 * # A collective operation timed out
 *
 * ## What
 * NCCL's or gloo's watchdog gave up waiting for an operation that some ranks had started.
 *
 * ## Why
 * A rank is slower, took another branch, or died. If any rank has an error of its own, that error is the cause and this
 * only follows.
 *
 * ## Example
 * `[Rank 3] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=1034, OpType=ALLREDUCE, Timeout(ms)=600000)`.
 *
 * ## Stays silent
 * As a root while another rank's exception is on record.
 */
import type { CollectiveTimeoutMessage } from '../../record/run-record.js';
import { defineDetector } from '../define.js';
import { citeDevice, citeLine } from '../shared/cite.js';
import { fromFailure } from '../shared/match.js';
import { failedByItself } from '../shared/standstill.js';

const pattern =
  /collective operation timeout|NCCL.*(timed? ?out|timeout)|ProcessGroup(NCCL|Gloo).*(timed? ?out)|Timed out waiting \d+ms for (recv|send)|wait(ing)? timeout after \d+ms|DistBackendError.*(timeout|aborted)|Some NCCL operations have failed or timed out|Timed out initializing process group/i;

/** What is told as information lists settings, a time-out among them. */
const asInformation = /^\W{0,3}(?:I\d*|INFO)\b/;

/** Two ranks that wait in the same turn for different things will never meet: their code took different ways. */
function differing(
  waiting: readonly CollectiveTimeoutMessage[],
): readonly [CollectiveTimeoutMessage, CollectiveTimeoutMessage] | null {
  for (const one of waiting) {
    const other = waiting.find(
      (entry) =>
        entry.rank !== one.rank &&
        entry.sequence !== null &&
        entry.sequence === one.sequence &&
        (entry.operation !== one.operation || entry.elements !== one.elements),
    );
    if (other) return [one, other];
  }
  return null;
}

export const collectiveTimeout = defineDetector({
  id: 'distributed/collective-timeout',
  subcause: 'collective_timeout',
  role: 'root',
  signal: 'text',
  needs: ['text'],
  detect: (record, _features, { view }) => {
    const other = failedByItself(view);
    const waiting = record.device.filter((entry) => entry.kind === 'collective_timeout');
    const apart = differing(waiting);
    if (apart && !other)
      return [
        {
          subcause: 'code_error',
          strength: 0.88,
          onset: apart[0].step,
          evidence: apart.map((entry) => citeDevice(entry)),
        },
      ];
    const [message] = waiting;
    if (message)
      return [
        {
          strength: other ? 0.4 : 0.9,
          onset: message.step,
          evidence: [citeDevice(message)],
          ...(other ? { role: 'cascade' as const } : {}),
        },
      ];
    const failure = fromFailure(view, pattern, { strength: other ? 0.5 : 0.9 });
    if (failure.length > 0 || other) return failure;
    const line = view.lines.find(
      ({ text }) => text.length < 2000 && !asInformation.test(text) && pattern.test(text),
    );
    return line ? [{ strength: 0.8, onset: line.step, evidence: [citeLine(line)] }] : [];
  },
});
