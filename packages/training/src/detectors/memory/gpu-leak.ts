/**
 * # Device memory grows from step to step
 *
 * ## What
 * Allocated memory rises steadily after the first quarter of the run, with or without running out in the end.
 *
 * ## Why
 * Tensors with their graph are kept: `total += loss` without `.item()`, outputs collected in a list, hooks, caches.
 *
 * ## Example
 * `memory_allocated` 1.0, 1.1, 1.2, ... GiB, then `CUDA out of memory` at step 3,100.
 *
 * ## Stays silent
 * While the allocator warms up, for a curve that rises in one step and stays, and for saw-teeth of batches of
 * different length.
 */
import { finiteValues } from '../../features/curve.js';
import { growthOf, usesDevice } from '../../features/memory.js';
import { grew, memoryGrowth } from '../../features/memory-growth.js';
import { gibibytes } from '../../record/figures.js';
import { defineDetector } from '../define.js';
import { citePoint } from '../shared/cite.js';
import { ofKind, outOfMemory } from '../shared/out-of-memory.js';

export const gpuLeak = defineDetector({
  id: 'memory/gpu-leak',
  subcause: 'gpu_leak',
  role: 'root',
  signal: 'memory',
  needs: ['memory'],
  detect: (_record, _features, { view }) => {
    const found = outOfMemory(view);
    if (found) return ofKind(view, 'leak', found.evidence.length > 1 ? 0.97 : 0.86);
    const curve =
      view.curve('memory_allocated') ?? view.curve('memory_reserved') ?? view.curve('memory_used');
    const growth = curve ? growthOf(curve) : null;
    if (!curve || !growth) return [];
    if (!usesDevice(view)) return [];
    if (!grew(growth, memoryGrowth.leak) || stepsOf(finiteValues(curve)) < 0.5) return [];
    const first = finiteValues(curve)[0]!;
    const last = finiteValues(curve).at(-1)!;
    return [
      {
        strength: growth.growth > 0.6 ? 0.88 : 0.72,
        onset: curve.steps[curve.finite[0]!]!,
        evidence: [
          citePoint(
            curve,
            curve.finite.at(-1)!,
            `${curve.name} rose without pause from ${gibibytes(first)} to ${gibibytes(last)}`,
          ),
        ],
      },
    ];
  },
});

/** Share of points that rise above the one before: a leak climbs often, a change of phase once. */
function stepsOf(values: readonly number[]): number {
  const settled = values.slice(Math.floor(values.length / 4));
  const rises = settled.filter((value, index) => index > 0 && value > settled[index - 1]!).length;
  return rises / Math.max(1, settled.length - 1);
}
