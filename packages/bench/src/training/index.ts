// The training benchmark: runs with known causes, every method, one protocol.

export type { TrainingCase } from './data/case.js';
export { loadCases } from './data/load.js';
export { type FreshReport, judgeDraw, runFresh } from './fresh/run.js';
export { runTraining, type TrainingOptions, type TrainingReport } from './run.js';
export { type TrainedModels, trainModels } from './train.js';
