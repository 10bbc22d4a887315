/**
 * # One batch was much larger than the rest
 *
 * ## What
 * The device ran out of memory after many good steps, without growth, on a batch longer than usual.
 *
 * ## Why
 * Padding to the longest sample makes one long document, image or graph decide the memory of its whole batch.
 *
 * ## Example
 * Sequence lengths near 512 for 800 steps, then 4,096 and `CUDA out of memory`.
 *
 * ## Stays silent
 * In the first twenty steps without batch lengths on record, and when memory grew steadily.
 */
import { defineDetector } from '../define.js';
import { ofKind, outOfMemory } from '../shared/out-of-memory.js';

export const gpuLongBatch = defineDetector({
  id: 'memory/gpu-long-batch',
  subcause: 'gpu_long_batch',
  role: 'root',
  signal: 'memory',
  needs: ['text', 'batch'],
  detect: (_record, _features, { view }) =>
    ofKind(view, 'long_batch', (outOfMemory(view)?.evidence.length ?? 0) > 1 ? 0.96 : 0.88),
});
