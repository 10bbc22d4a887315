// Written by `grus llm calibrate`: polls over recorded answers and whether they were right.
import type { CalibrationRow } from './calibration.js';

export const calibrationRows: readonly CalibrationRow[] = [];
