/**
 * # The disk is full
 *
 * ## What
 * Writing a checkpoint, a log or a cache failed for lack of space or quota.
 *
 * ## Why
 * Checkpoints with optimizer state are three times the model, and many loops keep all of them.
 *
 * ## Example
 * `OSError: [Errno 28] No space left on device`, `PytorchStreamWriter failed writing file data/12`.
 *
 * ## Stays silent
 * When the path is in shared memory (`/dev/shm`, `torch_<pid>_...`): that is the data loader's.
 */
import { defineDetector } from '../define.js';
import { fromFailure, fromLine, pathOf } from '../shared/match.js';

const pattern =
  /No space left on device|Errno 28|Disk quota exceeded|Errno 122|PytorchStreamWriter failed writing|inline_container\.cc[^\n]{0,20}unexpected pos \d+ vs \d+|file write failed.*disk|ENOSPC|Errno 27|File too large|\d+ requested and \d+ written/i;

export const diskFull = defineDetector({
  id: 'platform/disk-full',
  subcause: 'disk_full',
  role: 'root',
  signal: 'text',
  needs: ['text'],
  detect: (_record, _features, { view }) => {
    const failure = fromFailure(view, pattern, {
      strength: 0.96,
      when: (found) => !/\/dev\/shm|\/torch_\d+/.test(found.text + pathOf(found)),
    });
    if (failure.length > 0) return failure;
    return fromLine(view, /No space left on device|Disk quota exceeded/, { strength: 0.8 });
  },
});
