// The one table of sub-causes. Everything that depends on which one it is reads a row: category, who acts, what it does to a run, remedies,
// look-alikes, the label of scenarios/LABELS.md. A new sub-cause is one row and one detector.
import { data } from './data.js';
import type { Cause } from './define.js';
import { deviceMemory } from './device-memory.js';
import { optimization } from './optimization.js';
import { platform } from './platform.js';
import { rankCauses } from './ranks.js';
import { software } from './software.js';

export const causes = { ...deviceMemory, ...platform, ...optimization, ...data, ...software, ...rankCauses };

export type Subcause = keyof typeof causes;
export const subcauses = Object.keys(causes) as Subcause[];

export function causeOf(subcause: Subcause): Cause {
  return causes[subcause];
}
