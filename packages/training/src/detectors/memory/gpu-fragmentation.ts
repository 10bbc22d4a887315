/**
 * # Device memory is fragmented
 *
 * ## What
 * The allocator had reserved more unused memory than the request that failed.
 *
 * ## Why
 * Batches of changing size leave holes in the allocator's blocks; no hole is large enough although their sum is.
 *
 * ## Example
 * `Tried to allocate 1.50 GiB ... 5.10 GiB is allocated by PyTorch, and 8.20 GiB is reserved by PyTorch but unallocated`.
 *
 * ## Stays silent
 * When the unused reserve is smaller than the request, or under a tenth of what is reserved: that is lack of capacity.
 */
import { defineDetector } from '../define.js';
import { ofKind } from '../shared/out-of-memory.js';

export const gpuFragmentation = defineDetector({
  id: 'memory/gpu-fragmentation',
  subcause: 'gpu_fragmentation',
  role: 'root',
  signal: 'memory',
  needs: ['text'],
  detect: (_record, _features, { view }) => ofKind(view, 'fragmentation', 0.95),
});
