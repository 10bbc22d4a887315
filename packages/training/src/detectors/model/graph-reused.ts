/**
 * # The autograd graph is used twice
 *
 * ## What
 * A second backward pass went through a graph whose tensors were freed by the first.
 *
 * ## Why
 * A hidden state carried from batch to batch without `.detach()`, or one loss computed once and backed twice.
 *
 * ## Example
 * `RuntimeError: Trying to backward through the graph a second time`.
 *
 * ## Stays silent
 * For gradient checkpointing's own errors under other names.
 */
import { defineDetector } from '../define.js';
import { fromFailure } from '../shared/match.js';

export const graphReused = defineDetector({
  id: 'model/graph-reused',
  subcause: 'graph_reused',
  role: 'root',
  signal: 'text',
  needs: ['text'],
  detect: (_record, _features, { view }) =>
    fromFailure(
      view,
      /backward through the graph a second time|saved (intermediate values|tensors) .*freed|Specify retain_graph=True/i,
      { strength: 0.97 },
    ),
});
