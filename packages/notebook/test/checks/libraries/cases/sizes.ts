import type { CheckCase } from './case.js';
export const sizes: readonly CheckCase[] = [];
