/**
 * # Number types do not fit
 *
 * ## What
 * An operation met two number types, or a type it does not implement.
 *
 * ## Why
 * numpy makes float64, labels must be integers, half precision weights meet full precision inputs outside autocast.
 *
 * ## Example
 * `RuntimeError: mat1 and mat2 must have the same dtype, but got Double and Float`, `expected scalar type Long but found Float`.
 *
 * ## Stays silent
 * For types in the data files themselves (see decode errors).
 */
import { defineDetector } from '../define.js';
import { fromFailure } from '../shared/match.js';

const pattern =
  /expected scalar type|must have the same dtype|same data ?type|Found dtype|expected (m1 and m2|self and mat2) to have the same dtype|not implemented for '(Half|BFloat16|Long|Int|Bool|Float|Double|Char|Byte|Complex\w*)'|Input type \(.*\) and (weight|bias) type|expected (target |input |weight )?dtype|cannot convert .* to type|result type \w+ can't be cast|only Tensors of floating point|can only (be|calculate|require) .*float|type(s)? .* (do(es)? not match|mismatch).*(dtype|float|int)|Expected tensor for argument .* to have (one of the following )?scalar type|can't convert np\.ndarray of type numpy\.object_|Unsupported (dtype|object type)|cannot compute \w+ as input .* was expected to be a|Attempting to unscale FP16 gradients|both arguments to matmul need to be at least|object of type .*dtype|Input dtype|Expected floating point type for target|with (two )?bool tensors? is not supported/i;

export const dtypeMismatch = defineDetector({
  id: 'model/dtype-mismatch',
  subcause: 'dtype_mismatch',
  role: 'root',
  signal: 'text',
  needs: ['text'],
  detect: (_record, _features, { view }) =>
    fromFailure(view, pattern, {
      strength: 0.94,
      when: (failure) =>
        !/same device|cuda\.\w*Tensor\) and weight type \(torch\.\w*Tensor|torch\.FloatTensor\) and weight type \(torch\.cuda/.test(
          failure.text,
        ),
    }),
});
