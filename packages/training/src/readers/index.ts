// What the rest of the package uses of the readers.
export { type ReadRunOptions, readRun } from './read-run.js';
export { readers } from './registry.js';
