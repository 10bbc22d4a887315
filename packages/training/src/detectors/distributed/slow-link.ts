/**
 * # The network between the ranks is slow
 *
 * ## What
 * Collectives take long even for the rank that calls them last: in one group only, or from some turn on. Or the phase of a step in which
 * ranks communicate grew on every rank while no other phase did. Or one host fell back to a slower network than the others, or a table of
 * all ranks shows one that needs far longer to send, or one says in each step that it sends far slower than all others.
 *
 * ## Why
 * A port at a lower speed, a cable with errors, another job on the same switch, or an adapter that was not found.
 *
 * ## Example
 * `comm_time` took 0.03 s a step at first and takes 0.21 s, on every rank; `forward_time` stayed at 0.11 s.
 *
 * ## Stays silent
 * When one rank spends little time in collectives: the others wait for it. When other parts of a step became slower as well, for groups that
 * send other sizes, and when all hosts use the same network.
 */

import { slowIn } from '../../ranks/slow/slow.js';
import { defineDetector } from '../define.js';
import { citeSlow } from '../shared/pace.js';

export const slowLink = defineDetector({
  id: 'distributed/slow-link',
  subcause: 'slow_link',
  role: 'root',
  signal: 'curve',
  needs: ['throughput'],
  detect: (record, _features, { view }) => citeSlow(slowIn(view), 'link', record, 'port_slow'),
});
