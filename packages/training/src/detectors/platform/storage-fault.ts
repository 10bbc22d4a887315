/**
 * # The storage of a host fails
 *
 * ## What
 * A file system answered a read or write with an error of its own: a stale handle, an error of the disk, a mount that is gone or became
 * read-only.
 *
 * ## Why
 * A server of a shared file system restarted, a disk is failing, or the mount of one host broke.
 *
 * ## Example
 * `OSError: [Errno 116] Stale file handle: '/data/000217.bin'`, `OSError: [Errno 30] Read-only file system: 'ckpt/last.pt'`.
 *
 * ## Stays silent
 * For files that are not there, for space that ran out, and for an error after which the run went on.
 */
import { defineDetector } from '../define.js';
import { fromFailure } from '../shared/match.js';

export const storageFault = defineDetector({
  id: 'platform/storage-fault',
  subcause: 'storage_fault',
  role: 'root',
  signal: 'text',
  needs: ['text'],
  detect: (_record, _features, { view }) =>
    fromFailure(
      view,
      /Stale file handle|Stale NFS file handle|Input\/output error|Read-only file system|Transport endpoint is not connected|Remote I\/O error|Structure needs cleaning|Host is down/i,
      { strength: 0.9 },
    ),
});
