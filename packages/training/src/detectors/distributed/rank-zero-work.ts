/**
 * # Rank 0 does work of its own while the others wait
 *
 * ## What
 * Rank 0 alone is waited for, at a barrier or in a function for evaluation, plots or downloads; or its last line says that it began
 * with such work.
 *
 * ## Why
 * Work that only one rank does must end before the others' collective gives up.
 *
 * ## Example
 * Ranks 1 to 3 are in `barrier`, rank 0 is in `evaluate (train.py:54)`.
 *
 * ## Stays silent
 * When the run completed, and when another rank is waited for as well.
 */
import { defineDetector } from '../define.js';
import { fromStoppage } from '../shared/stoppage.js';

export const rankZeroWork = defineDetector({
  id: 'distributed/rank-zero-work',
  subcause: 'rank_zero_work',
  role: 'root',
  signal: 'exit',
  needs: [],
  outweighs: ['text'],
  detect: (_record, _features, { view }) => fromStoppage(view, 'rank_zero_work'),
});
