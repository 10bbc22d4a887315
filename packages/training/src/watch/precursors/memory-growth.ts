/**
 * # Device memory grows from step to step
 *
 * ## What
 * Memory held on the device climbs along a straight line, hardly ever falling, and the line reaches the size of the device
 * before the run would be over; or, where the size is unknown, it has grown by half. Thirty records are needed, or half as
 * many where memory has more than doubled and hardly a byte lies off the line.
 *
 * ## Why
 * Tensors with their graph are kept each step. The run will end with an out-of-memory error at a step that can be named.
 *
 * ## Stays silent
 * While the allocator warms up, for a rise in a few jumps, for saw-teeth of batches of different length, when growth
 * levels off (a bank of features that fills up), and while a known device is mostly empty.
 */

import { plannedSteps } from '../../features/ending.js';
import { deviceMemory } from '../../features/memory.js';
import { gibibytes } from '../../record/figures.js';
import { findSeries } from '../../record/run-record.js';
import { definePrecursor } from '../define.js';
import { citeTail, type Tail, tailOf } from '../tail.js';
import { type Growth, steadyGrowth } from '../trend.js';

/** The allocator has settled after a few steps; thirty on one line are no accident. */
const fewest = 30;
const fewestWhenSteep = 16;
/** Newest records that are looked at, longest stretch first: a jump before it does not hide a leak. */
const stretches = [200, 60, fewest, fewestWhenSteep] as const;

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
    const tail = tailOf(series, stretches[0]);
    const growth = tail === null ? null : growthOf(tail);
    if (tail === null || growth === null) return [];
    const total = deviceMemory(view);
    const lead = total === null ? null : Math.max(0, Math.round((total - growth.last) / growth.slope));
    const planned = plannedSteps(record);
    const left = planned === null ? null : planned - tail.steps.at(-1)!;
    const nearEnough = isSteep(growth) ? 0.25 : 0.5;
    const reaches = lead !== null && (left === null || lead < left) && growth.last > nearEnough * total!;
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

function growthOf(tail: Tail): Growth | null {
  for (const count of stretches) {
    const points = Math.min(count, tail.values.length);
    const growth = steadyGrowth(tail.steps.slice(-points), tail.values.slice(-points), fewestWhenSteep);
    if (growth === null || growth.relative < 0.05) continue;
    if (points >= fewest || isSteep(growth)) return growth;
  }
  return null;
}

/** More than doubled, along a line that explains all but a hundredth. */
function isSteep({ relative, explained }: Growth): boolean {
  return relative > 1.25 && explained > 0.99;
}
