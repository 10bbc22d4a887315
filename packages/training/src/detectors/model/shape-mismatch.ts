/**
 * # Tensor shapes do not fit
 *
 * ## What
 * An operation, a layer or a loss refused the shapes it was given.
 *
 * ## Why
 * The output of one layer is not the input of the next, a target lacks a dimension, an image has another size than
 * the first linear layer was made for.
 *
 * ## Example
 * `RuntimeError: mat1 and mat2 shapes cannot be multiplied (32x512 and 256x10)`.
 *
 * ## Stays silent
 * For sizes in a checkpoint or in an optimizer's restored state, for samples that cannot be stacked, and for a width that heads do not divide.
 */
import { defineDetector } from '../define.js';
import { fromFailure, pathOf } from '../shared/match.js';

const pattern =
  /appears not to match sizes of the same param|Expected target size|[Ee]xpected [\w.[\]]*(shape|size)\b[^\n]{0,40}(but )?got|doesn't match expected size|mat1 and mat2 shapes cannot be multiplied|size mismatch, (m1|got)|The size of tensor a \(\d+\) must match|Sizes of tensors must match|shape '\[.*\]' is invalid for input of size|Expected (input )?batch_size \(\d+\) to match target|Expected \d-?D .*input|expected (input\[.*\]|\d+D) .*(channels|to have|input)|Target size \(.*\) must be the same as input size|input.{0,20}target.{0,40}(same|match).{0,20}(shape|size)|Given groups=\d+|Given normalized_shape|Dimension out of range|Kernel size can't be greater|Calculated padded input size|Incompatible shapes|shapes? .*(not aligned|incompatible|mismatch|cannot be (broadcast|multiplied))|could not be broadcast|Dimensions must be equal|Matrix size-incompatible|expected shape=|incompatible with the layer|incompatible shape|number of dimensions|inconsistent tensor size|Expected tensor .* (size|shape)|must match the (existing )?size|same number of dimensions|input\.size\(-1\) must be equal to input_size|einsum\(\)|view size is not compatible|only batches of spatial targets|multi-target not supported|0D or 1D target tensor expected|Expected hidden(\[\d\])? size|batch2? tensor|The expanded size of the tensor|Shape of (input|passed values)|ValueError: .*[Ss]hapes?\b/;

export const shapeMismatch = defineDetector({
  id: 'model/shape-mismatch',
  subcause: 'shape_mismatch',
  role: 'root',
  signal: 'text',
  needs: ['text'],
  detect: (_record, _features, { view }) =>
    fromFailure(view, pattern, {
      strength: 0.94,
      when: (failure) =>
        !/state_dict|size mismatch for \w|copying a param|checkpoint|inhomogeneous|found invalid values|stack expects|with 0 sample|all input arrays must have the same shape/i.test(
          failure.text,
        ) &&
        !/default_collate|collate_fn|frombuffer|fromfile/.test(pathOf(failure)) &&
        // State that was restored into an optimizer: its sizes are the file's.
        !/[/\\]optim(izers?)?[/\\]/.test(failure.frames.at(-1)?.file ?? ''),
    }),
});
