/**
 * # An index lies outside its table on the device
 *
 * ## What
 * A device-side assert, or an error that commonly follows one, without the kernel's own line saying which table it was.
 *
 * ## Why
 * GPU kernels run asynchronously: the Python line of such an error is rarely the line at fault. Nearly always it is a
 * label or token id out of range.
 *
 * ## Example
 * `RuntimeError: CUDA error: device-side assert triggered` alone, or `CUBLAS_STATUS_NOT_INITIALIZED` when calling
 * `cublasCreate(handle)` in the first steps.
 *
 * ## Stays silent
 * When the kernel's line names the table, and for cuBLAS errors of a device that was full.
 */
import { defineDetector } from '../define.js';
import { indexFailure } from '../shared/index-failure.js';
import { fromFailure } from '../shared/match.js';
import { outOfMemory } from '../shared/out-of-memory.js';

export const indexOutOfRange = defineDetector({
  id: 'data/index-out-of-range',
  subcause: 'index_out_of_range',
  role: 'root',
  signal: 'text',
  needs: ['text', 'batch'],
  detect: (_record, _features, { view }) => {
    if (outOfMemory(view)) return [];
    const failed = indexFailure(view);
    if (failed && failed.table !== 'unknown') return [];
    if (failed) return [{ strength: failed.strength, onset: failed.step, evidence: failed.evidence }];
    const sample = fromFailure(
      view,
      /^IndexError: (list|tuple|string|pop) ?index out of range|^IndexError: index \d+ is out of bounds for axis/,
      { strength: 0.72, when: (failure) => failure.frames.at(-1)?.function === '__getitem__' },
    );
    if (sample.length > 0) return sample;
    return fromFailure(
      view,
      /CUBLAS_STATUS_(NOT_INITIALIZED|EXECUTION_FAILED|INTERNAL_ERROR)|CUDNN_STATUS_(NOT_INITIALIZED|EXECUTION_FAILED|INTERNAL_ERROR)/,
      {
        strength: 0.55,
      },
    );
  },
});
