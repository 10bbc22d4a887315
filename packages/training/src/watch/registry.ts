// Every precursor, in the order their warnings are given when several appear at once.
import type { Precursor } from './define.js';
import { detected } from './precursors/detected.js';
import { diskFilling } from './precursors/disk-filling.js';
import { gradientGrowth } from './precursors/gradient-growth.js';
import { hang } from './precursors/hang.js';
import { hostMemoryGrowth } from './precursors/host-memory-growth.js';
import { lossRise } from './precursors/loss-rise.js';
import { lossScaleFall } from './precursors/loss-scale-fall.js';
import { memoryGrowth } from './precursors/memory-growth.js';
import { nonFinite } from './precursors/non-finite.js';
import { slowdown } from './precursors/slowdown.js';

export const precursors: readonly Precursor[] = [
  nonFinite,
  gradientGrowth,
  lossRise,
  lossScaleFall,
  memoryGrowth,
  hostMemoryGrowth,
  diskFilling,
  slowdown,
  hang,
  detected,
];
