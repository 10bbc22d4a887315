/**
 * # A tensor needed for the gradient was changed in place
 *
 * ## What
 * Backward found that a saved tensor has another version than when it was saved.
 *
 * ## Why
 * `x += y`, `relu(inplace=True)` on a saved value, or an optimizer step between forward and backward.
 *
 * ## Example
 * `one of the variables needed for gradient computation has been modified by an inplace operation`.
 *
 * ## Stays silent
 * For in-place changes outside autograd.
 */
import { defineDetector } from '../define.js';
import { fromFailure } from '../shared/match.js';

export const inPlaceChange = defineDetector({
  id: 'model/in-place-change',
  subcause: 'in_place_change',
  role: 'root',
  signal: 'text',
  needs: ['text'],
  detect: (_record, _features, { view }) =>
    fromFailure(
      view,
      /modified by an inplace operation|leaf Variable that requires grad is being used in an in-place|a view of a leaf Variable .*in-?place|is a view and (its base|is being) .*modified in-?place/i,
      { strength: 0.97 },
    ),
});
