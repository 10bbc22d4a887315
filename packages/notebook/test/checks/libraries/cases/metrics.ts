import type { CheckCase } from './case.js';
export const metrics: readonly CheckCase[] = [];
