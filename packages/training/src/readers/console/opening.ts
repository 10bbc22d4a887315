import type { Split } from '../../record/split.js';

/** What a line without measures begins: lines of one part of the data, or another epoch of training. */
export type Opening = Split | 'epoch' | null;
