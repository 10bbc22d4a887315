// What the rest of the package uses of the readers.
export { type FollowRunOptions, followRun, RunFollower } from './follow-run.js';
export { type ReadRunOptions, readRun } from './read-run.js';
export { readers } from './registry.js';
