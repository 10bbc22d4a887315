/**
 * # The disk is filling up
 *
 * ## What
 * The space left on the run's disk is smaller than what it lost at once before (the next checkpoint will not fit), or
 * below half a gibibyte and falling.
 *
 * ## Why
 * A checkpoint that cannot be written ends the run, and often leaves a broken file in place of the last good one.
 *
 * ## Stays silent
 * While two more of the largest writes fit, and on disks that are full but quiet.
 */
import { gibibytes } from '../../record/figures.js';
import { definePrecursor } from '../define.js';
import type { Sample } from '../surroundings.js';

const smallestWrite = 64 * 2 ** 20;
const nearlyNothing = 512 * 2 ** 20;

export const diskFilling = definePrecursor({
  id: 'disk-filling',
  title: 'The disk is filling up',
  subcause: 'disk_full',
  expected: 'writing a checkpoint or a log fails for lack of space',
  look: ({ record, surroundings }) => {
    const samples = surroundings.disk;
    const newest = samples.at(-1);
    if (newest === undefined || samples.length < 2) return [];
    const writes = dropsOf(samples).filter((drop) => drop.bytes >= smallestWrite);
    const largest = writes.reduce((top, drop) => Math.max(top, drop.bytes), 0);
    const fell = samples.at(-7) !== undefined && newest.free < samples.at(-7)!.free;
    const tooSmall = writes.length >= 2 && newest.free < largest;
    if (!tooSmall && !(newest.free < nearlyNothing && fell)) return [];
    const between = writes.length >= 2 ? (writes.at(-1)!.time - writes[0]!.time) / (writes.length - 1) : null;
    return [
      {
        step: record.lastStep,
        evidence: [
          {
            fact: tooSmall
              ? `${gibibytes(newest.free)} are left on the disk of the run; it was seen to lose ${gibibytes(largest)} at once`
              : `${gibibytes(newest.free)} are left on the disk of the run, and falling`,
            file: '',
          },
        ],
        leadSeconds:
          tooSmall && between !== null
            ? Math.max(0, Math.round((writes.at(-1)!.time + between - newest.time) / 1000))
            : null,
      },
    ];
  },
});

/** Falls of free space from one sample to the next; a write that spans samples counts as one. */
function dropsOf(samples: readonly Sample[]): { time: number; bytes: number }[] {
  const drops: { time: number; bytes: number }[] = [];
  let open = 0;
  for (let index = 1; index < samples.length; index++) {
    const fall = samples[index - 1]!.free - samples[index]!.free;
    if (fall > 2 ** 20) open += fall;
    else if (open > 0) {
      drops.push({ time: samples[index - 1]!.time, bytes: open });
      open = 0;
    }
  }
  if (open > 0) drops.push({ time: samples.at(-1)!.time, bytes: open });
  return drops;
}
