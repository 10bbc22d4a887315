/**
 * # A data loader worker was killed
 *
 * ## What
 * The main process reports that a worker died without raising an exception.
 *
 * ## Why
 * Workers are processes: the kernel kills them first when the host runs out of memory, and a crash in a decoder takes
 * them down without a traceback.
 *
 * ## Example
 * `RuntimeError: DataLoader worker (pid(s) 4242) exited unexpectedly`.
 *
 * ## Stays silent
 * When the worker's own exception is on record: that is the cause, this line only follows from it.
 */
import type { Failure } from '../../features/failures.js';
import { isConsequence } from '../../ranks/lost/consequence.js';
import { defineDetector } from '../define.js';
import { fromFailure, pathOf } from '../shared/match.js';

/** The pipe to a worker broke off while a batch was fetched: the worker is gone, whoever killed it. */
function isLoadersPipe(failure: Failure): boolean {
  const path = pathOf(failure);
  return /dataloader\.py/.test(path) && /multiprocessing/.test(path);
}

const pattern =
  /DataLoader worker .*((exited|quit|died|stopped) unexpectedly|is killed by signal: (?!Bus))|worker .*(died|was terminated) (abruptly|unexpectedly)|A process in the process pool was terminated abruptly|TerminatedWorkerError|background workers are no longer alive|pin memory thread exited/i;

export const workerDeath = defineDetector({
  id: 'memory/worker-death',
  subcause: 'worker_death',
  role: 'root',
  signal: 'text',
  needs: ['text'],
  detect: (_record, _features, { view }) => {
    const raisedInWorker = view.failures.some(
      (failure) => failure.worker && !pattern.test(failure.text) && !isConsequence(failure),
    );
    const said = fromFailure(view, pattern, { strength: raisedInWorker ? 0.5 : 0.86 });
    if (said.length > 0) return said;
    return fromFailure(view, /^(ConnectionResetError|EOFError|BrokenPipeError|ConnectionRefusedError)/, {
      strength: 0.82,
      when: isLoadersPipe,
    });
  },
});
