/**
 * # The storage of a host fails
 *
 * ## What
 * A file system answered a read or write with an error of its own: a stale handle, an error of the disk, a mount that is gone or became
 * read-only. Or the kernel of a host lost the server of a shared file system while ranks gave up waiting for each other.
 *
 * ## Why
 * A server of a shared file system restarted, a disk is failing, or the mount of one host broke.
 *
 * ## Example
 * `OSError: [Errno 116] Stale file handle: '/data/000217.bin'`, `OSError: [Errno 30] Read-only file system: 'ckpt/last.pt'`.
 *
 * ## Stays silent
 * For files that are not there, for space that ran out, and for an error after which the run went on. For a lost server in a run where no
 * rank gave up, or where one failed by itself.
 */
import { isConsequence } from '../../ranks/lost/consequence.js';
import { defineDetector } from '../define.js';
import { fromFailure, fromLine } from '../shared/match.js';

export const storageFault = defineDetector({
  id: 'platform/storage-fault',
  subcause: 'storage_fault',
  role: 'root',
  signal: 'text',
  needs: ['text'],
  detect: (record, _features, { view }) => {
    const failed = fromFailure(
      view,
      /Stale file handle|Stale NFS file handle|Input\/output error|\bdisk I\/O error|Read-only file system|Transport endpoint is not connected|Remote I\/O error|Structure needs cleaning|Host is down|\[Errno (?:5|30|107|108|112|116|117|121)\]/i,
      { strength: 0.9 },
    );
    // A file system that the kernel finds without its server, while ranks gave up waiting and none failed by itself.
    const waited = record.device.some(({ kind }) => kind === 'collective_timeout');
    const own = view.failures.some((failure) => !isConsequence(failure) && !unserved.test(failure.text));
    const isOpen = waited && !own;
    return failed.length > 0 || !isOpen ? failed : fromLine(view, unserved, { strength: 0.93 });
  },
});

/** What the kernel of a host says of a server that does not answer, or of a disk that fails. */
const unserved =
  /\b(?:I\/O error, dev|blk_update_request: I\/O error|Buffer I\/O error on dev|critical medium error)|\bnvme\d?\w*: .*(?:controller is down|I\/O \d+ .*timeout|Device not ready)|\b(?:EXT4-fs|XFS|BTRFS)\b.*\b(?:error|shutdown|[Cc]orruption|Remounting filesystem read-only)|\bLustre(?:Error)?: .*(?:\bwas lost|timed out|failed: rc = -)|\bnfs\d?: server \S+ not responding|\bceph: .*(?:hung|lost|timed? ?out)|\bbeegfs\b.*(?:timed out|unreachable)|\bmmfs\w*\b.*(?:expelled|disk lease|unmount)/i;
