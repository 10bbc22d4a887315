/**
 * # A rank writes a checkpoint while the others wait
 *
 * ## What
 * The stack of the rank that the others wait for is in the code that saves a checkpoint, or the last line of rank 0 says that it began one.
 *
 * ## Why
 * If storage is slow even once, a save can take longer than a collective waits.
 *
 * ## Example
 * Ranks 1 to 7 are in `barrier`, rank 0 is in `save_checkpoint (train.py:88)`.
 *
 * ## Stays silent
 * When the run completed: the save was slow, and nobody gave up.
 */
import { defineDetector } from '../define.js';
import { fromStoppage } from '../shared/stoppage.js';

export const slowCheckpoint = defineDetector({
  id: 'distributed/slow-checkpoint',
  subcause: 'slow_checkpoint',
  role: 'root',
  signal: 'exit',
  needs: [],
  outweighs: ['text'],
  detect: (_record, _features, { view }) => fromStoppage(view, 'slow_checkpoint'),
});
