/**
 * # The optimizer's state does not fit
 *
 * ## What
 * The first forward and backward passes fit; the first `optimizer.step()` ran out of memory.
 *
 * ## Why
 * Adam keeps two values per parameter, allocated lazily at its first step: eight more bytes for every parameter.
 *
 * ## Example
 * A traceback ending in `torch/optim/adamw.py`, `_init_group`, `torch.zeros_like(p)`.
 *
 * ## Stays silent
 * When the innermost frames are not the optimizer's.
 */
import { defineDetector } from '../define.js';
import { ofKind } from '../shared/out-of-memory.js';

export const gpuOptimizerState = defineDetector({
  id: 'memory/gpu-optimizer-state',
  subcause: 'gpu_optimizer_state',
  role: 'root',
  signal: 'text',
  needs: ['text'],
  detect: (_record, _features, { view }) => ofKind(view, 'optimizer', 0.95),
});
