/**
 * # Samples of different sizes cannot be stacked
 *
 * ## What
 * The collator tried to make one tensor of samples whose shapes differ.
 *
 * ## Why
 * No padding or resizing; grey images among coloured ones; a sample that is None.
 *
 * ## Example
 * `RuntimeError: stack expects each tensor to be equal size, but got [17] at entry 0 and [23] at entry 1`.
 *
 * ## Stays silent
 * When the shapes differ inside the model: see shape mismatch.
 */
import { defineDetector } from '../define.js';
import { fromFailure, pathOf } from '../shared/match.js';

const pattern =
  /Size mismatch between tensors|stack expects each tensor to be equal size|each element in list of batch should be of equal size|inhomogeneous shape|setting an array element with a sequence|default_collate: batch must contain|Unable to create tensor, you should probably activate (truncation|padding)|expected sequence of length \d+ at dim|Trying to resize storage that is not resizable|Cannot batch tensors with different shapes|all input arrays must have the same shape|Unexpected result of `?(train|predict)_function`? .*ragged/i;

export const raggedBatch = defineDetector({
  id: 'data/ragged-batch',
  subcause: 'ragged_batch',
  role: 'root',
  signal: 'text',
  needs: ['text'],
  detect: (_record, _features, { view }) => {
    const said = fromFailure(view, pattern, { strength: 0.94 });
    if (said.length > 0) return said;
    return fromFailure(view, /Sizes of tensors must match|size mismatch|must be equal size/i, {
      strength: 0.85,
      when: (failure) => /collate|default_collate/.test(pathOf(failure)),
    });
  },
});
