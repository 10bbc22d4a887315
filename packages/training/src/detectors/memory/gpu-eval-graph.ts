/**
 * # Evaluation keeps the autograd graph
 *
 * ## What
 * Training steps fit, and the device ran out of memory inside an evaluation, validation or generation function.
 *
 * ## Why
 * Without `torch.no_grad()` every validation batch keeps its activations; collected predictions stay on the device.
 *
 * ## Example
 * A traceback through `evaluate(...)` ending in `CUDA out of memory` after an epoch of good training steps.
 *
 * ## Stays silent
 * When no frame of the traceback belongs to an evaluation function.
 */
import { defineDetector } from '../define.js';
import { ofKind } from '../shared/out-of-memory.js';

export const gpuEvalGraph = defineDetector({
  id: 'memory/gpu-eval-graph',
  subcause: 'gpu_eval_graph',
  role: 'root',
  signal: 'text',
  needs: ['text'],
  detect: (_record, _features, { view }) => ofKind(view, 'evaluation', 0.94),
});
