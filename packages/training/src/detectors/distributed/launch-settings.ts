/**
 * # The ranks were started with settings that do not fit together
 *
 * ## What
 * The run ends before its first step, and the lines of the ranks or of their launchers say different addresses, ports or numbers of ranks;
 * or the first rank does not find the place that it holds itself; or a host lacks the network interface that a setting names; or on one host
 * more ranks are waited for than were started.
 *
 * ## Why
 * Ranks that wait at different places, or for ranks that nobody starts, never meet, however sound the network is.
 *
 * ## Example
 * Rank 0 waits at port 29500, rank 2 tries to reach port 29501.
 *
 * ## Stays silent
 * When all were given the same: then a host did not come or cannot be reached. And when a rank calls by its name the host that another calls
 * by its address.
 */
import { launchedApart, noSuchInterface } from '../../ranks/differing/launched-apart.js';
import { defineDetector } from '../define.js';
import { citeWhere } from '../shared/cite.js';
import { notMetAtStart } from '../shared/not-met.js';

export const launchSettings = defineDetector({
  id: 'distributed/launch-settings',
  subcause: 'launch_settings',
  role: 'root',
  signal: 'exit',
  needs: [],
  outweighs: ['text'],
  detect: (_record, _features, { view }) => {
    const found = notMetAtStart(view);
    const apart = found.length > 0 ? launchedApart(view) : noSuchInterface(view);
    if (apart === null) return [];
    const told = citeWhere(apart.fact, apart.line.at);
    if (found.length === 0) return [{ strength: 0.9, evidence: [told] }];
    return found.map((one) => ({ ...one, evidence: [told, ...one.evidence] }));
  },
});
