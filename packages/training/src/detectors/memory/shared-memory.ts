/**
 * # Shared memory is too small for the data loader
 *
 * ## What
 * A worker died of a bus error or could not create a shared memory segment.
 *
 * ## Why
 * Workers hand batches over through `/dev/shm`; containers give it 64 MiB unless told otherwise.
 *
 * ## Example
 * `RuntimeError: DataLoader worker (pid 81) is killed by signal: Bus error. It is possible that dataloader's workers are
 * out of shared memory.`
 *
 * ## Stays silent
 * When a worker was killed by another signal: see worker death and host memory.
 */
import { defineDetector } from '../define.js';
import { citeExit } from '../shared/cite.js';
import { fromFailure, fromLine } from '../shared/match.js';

const pattern =
  /killed by signal: Bus error|insufficient shared memory|unable to (open|allocate|mmap|write).{0,60}shared memory|creating shared memory segment|unable to mmap \d+ bytes|\/torch_\d+_\d+.*No space left|\/dev\/shm.*(full|No space)|Bus error.*shm/i;

export const sharedMemory = defineDetector({
  id: 'memory/shared-memory',
  subcause: 'shared_memory',
  role: 'root',
  signal: 'text',
  needs: ['text'],
  detect: (record, _features, { view }) => {
    const failure = fromFailure(view, pattern, { strength: 0.96 });
    if (failure.length > 0) return failure;
    const exit = record.exits.find((entry) => entry.signal === 'SIGBUS');
    if (exit) return [{ strength: 0.8, onset: exit.step, evidence: [citeExit(exit)] }];
    return fromLine(view, pattern, { strength: 0.9 });
  },
});
