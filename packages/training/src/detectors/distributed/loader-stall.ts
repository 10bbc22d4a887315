/**
 * # One rank's data loader does not deliver
 *
 * ## What
 * The stack of the rank that the others wait for is in its data loader, or the loader of one rank gave up.
 *
 * ## Why
 * A shard, a mount or a worker of one rank hangs. The others wait in a collective and report a time-out.
 *
 * ## Example
 * Ranks 0 to 2 are in `all_reduce`, rank 3 is in `_next_data (dataloader.py:734)`.
 *
 * ## Stays silent
 * When the run completed, without a stack or a word of the loader, and while another error of a rank's own is on record.
 */
import { tellsRanks } from '../../ranks/present/presence.js';
import { defineDetector } from '../define.js';
import { loaderGaveUp } from '../platform/hang.js';
import { fromFailure } from '../shared/match.js';
import { fromStoppage } from '../shared/stoppage.js';

export const loaderStall = defineDetector({
  id: 'distributed/loader-stall',
  subcause: 'loader_stall',
  role: 'root',
  signal: 'exit',
  needs: [],
  outweighs: ['text'],
  detect: (record, _features, { view }) => {
    const refused = tellsRanks(record) ? fromFailure(view, loaderGaveUp, { strength: 0.92 }) : [];
    return refused.length > 0 ? refused : fromStoppage(view, 'loader_stall');
  },
});
