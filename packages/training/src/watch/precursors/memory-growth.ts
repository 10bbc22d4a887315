/**
 * # Device memory grows from step to step
 *
 * ## What
 * Memory held on the device climbs along a straight line, hardly ever falling, and the line reaches the size of the device
 * before the run would be over; or, where the size is unknown, it has grown by half.
 *
 * ## Why
 * Tensors with their graph are kept each step. The run will end with an out-of-memory error at a step that can be named.
 *
 * ## Stays silent
 * While the allocator warms up, for a rise in a few jumps, for saw-teeth of batches of different length, and when growth
 * levels off.
 */
import { gibibytes } from '../../detectors/shared/cite.js';
import { plannedSteps } from '../../features/ending.js';
import { deviceMemory } from '../../features/memory.js';
import { findSeries } from '../../record/run-record.js';
import { definePrecursor } from '../define.js';
import { citeTail, tailOf } from '../tail.js';
import { steadyGrowth } from '../trend.js';

/** The allocator has settled after a few steps; thirty on one line are no accident. */
const fewest = 30;

export const memoryGrowth = definePrecursor({
  id: 'memory-growth',
  title: 'Device memory grows from step to step',
  subcause: 'gpu_leak',
  expected: 'the device runs out of memory',
  looks: 2,
  look: ({ record, view }) => {
    const series =
      findSeries(record, 'memory_allocated') ??
      findSeries(record, 'memory_reserved') ??
      findSeries(record, 'memory_used');
    const tail = tailOf(series, 200);
    if (tail === null || tail.values.length < fewest) return [];
    const growth = steadyGrowth(tail.steps, tail.values, fewest);
    if (growth === null || growth.relative < 0.05) return [];
    const total = deviceMemory(view);
    const lead = total === null ? null : Math.max(0, Math.round((total - growth.last) / growth.slope));
    const planned = plannedSteps(record);
    const left = planned === null ? null : planned - tail.steps.at(-1)!;
    const reaches = lead !== null && (left === null || lead < left) && growth.last > 0.5 * total!;
    if (!reaches && !(total === null && growth.relative > 0.5)) return [];
    return [
      {
        step: tail.steps.at(-1)!,
        evidence: [
          citeTail(
            tail,
            tail.values.length - 1,
            `${tail.series.rawName} rose steadily from ${gibibytes(growth.first)} to ${gibibytes(growth.last)}${total === null ? '' : ` of ${gibibytes(total)}`}`,
          ),
        ],
        leadSteps: lead,
      },
    ];
  },
});
