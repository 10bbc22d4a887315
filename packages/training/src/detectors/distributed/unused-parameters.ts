/**
 * # Some parameters took no part in the loss under DDP
 *
 * ## What
 * DistributedDataParallel waited for gradients that were never made.
 *
 * ## Why
 * A branch, head or adapter that a step does not use makes no gradient; the reducer of the next step refuses to start.
 *
 * ## Example
 * `RuntimeError: Expected to have finished reduction in the prior iteration before starting a new one.`
 *
 * ## Stays silent
 * On the warning that `find_unused_parameters=True` was set without need.
 */
import { defineDetector } from '../define.js';
import { fromFailure } from '../shared/match.js';

export const unusedParameters = defineDetector({
  id: 'distributed/unused-parameters',
  subcause: 'unused_parameters',
  role: 'root',
  signal: 'text',
  needs: ['text'],
  detect: (_record, _features, { view }) =>
    fromFailure(
      view,
      /Expected to have finished reduction in the prior iteration|parameters that were not used in producing (the )?loss|marked (as )?ready (twice|only once)|mark a variable ready only once/i,
      {
        strength: 0.96,
      },
    ),
});
