// What the rest of the package uses of the readers.
export { type FollowRunOptions, followRun, RunFollower } from './follow-run.js';
export { type FoundRun, type FoundRuns, findRuns, type InputKind, runsAmong } from './input/find-runs.js';
export { type ReadRunOptions, readFiles, readRun } from './read-run.js';
export { type FoundFile, mayBeOfRun } from './walk.js';
