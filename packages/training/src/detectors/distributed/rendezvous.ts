/**
 * # The ranks did not find each other at the start
 *
 * ## What
 * The run ends before its first step: ranks wait for others to join, or try in vain to reach the store until the log ends.
 *
 * ## Why
 * A host did not start, or cannot be reached.
 *
 * ## Example
 * `DistStoreError: wait timeout after 600000ms, keys: /default_pg/0//cpu//0/5`: rank 5 did not come.
 *
 * ## Stays silent
 * Where the ranks say themselves that they were given different settings. After the first step: then a rank went away. And while an error of a rank's own is on record: then that is why it did not come.
 */
import { launchedApart } from '../../ranks/differing/launched-apart.js';
import { defineDetector } from '../define.js';
import { notMetAtStart } from '../shared/not-met.js';

export const rendezvous = defineDetector({
  id: 'distributed/rendezvous',
  subcause: 'rendezvous',
  role: 'root',
  signal: 'exit',
  needs: [],
  outweighs: ['text'],
  detect: (_record, _features, { view }) => {
    const found = notMetAtStart(view);
    return found.length > 0 && launchedApart(view) === null ? found : [];
  },
});
