/**
 * # The host is running out of memory
 *
 * ## What
 * The memory that can still be had falls along a straight line for minutes and less than a fifth is left, or the run's own
 * process grows steadily beyond half of the machine.
 *
 * ## Why
 * The kernel ends the largest process when memory is gone, without a word in the run's log.
 *
 * ## Stays silent
 * While much is free, when memory is low but steady, and while growth levels off: caches fill and stop.
 */
import { gibibytes } from '../../record/figures.js';
import { findSeries } from '../../record/run-record.js';
import { definePrecursor, type Sign, type WatchContext } from '../define.js';
import { citeTail, tailOf } from '../tail.js';
import { steadyGrowth } from '../trend.js';

/** Twenty samples are over three minutes. */
const fewestSamples = 20;

export const hostMemoryGrowth = definePrecursor({
  id: 'host-memory-growth',
  title: 'The host is running out of memory',
  subcause: 'host_memory',
  expected: 'the kernel kills the run for lack of host memory',
  looks: 2,
  look: (context) => ofMachine(context) ?? ofProcess(context) ?? [],
});

function ofMachine({ record, surroundings }: WatchContext): Sign[] | null {
  const samples = surroundings.memory.slice(-60);
  const newest = samples.at(-1);
  if (newest === undefined || newest.free > 0.2 * newest.total) return null;
  const growth = steadyGrowth(
    samples.map(({ time }) => time / 1000),
    samples.map(({ free, total }) => total - free),
    fewestSamples,
  );
  if (growth === null) return null;
  return [
    {
      step: record.lastStep,
      evidence: [
        {
          fact: `${gibibytes(newest.free)} of ${gibibytes(newest.total)} of host memory are left, ${gibibytes(growth.slope * 60)} less every minute`,
          file: '',
        },
      ],
      leadSeconds: Math.round(newest.free / growth.slope),
    },
  ];
}

function ofProcess({ record, surroundings }: WatchContext): Sign[] | null {
  const total = record.hardware.hostMemory ?? surroundings.memory.at(-1)?.total ?? null;
  const tail = tailOf(findSeries(record, 'host_memory'), 200);
  if (tail === null || total === null) return null;
  const growth = steadyGrowth(tail.steps, tail.values);
  if (growth === null || growth.last < 0.5 * total || growth.relative < 0.05) return null;
  return [
    {
      step: tail.steps.at(-1)!,
      evidence: [
        citeTail(
          tail,
          tail.values.length - 1,
          `host memory of the process rose steadily from ${gibibytes(growth.first)} to ${gibibytes(growth.last)} of ${gibibytes(total)}`,
        ),
      ],
      leadSteps: Math.max(0, Math.round((total - growth.last) / growth.slope)),
    },
  ];
}
