export { type CommandEnd, type RunningCommand, startCommand } from './command.js';
export { lookOnce, type RunStatus } from './look-once.js';
export type { MeasuredPrecision, PrecisionTable } from './precision.js';
export { precursors } from './registry.js';
export { renderWarning } from './render.js';
export { RunWatcher } from './run-watcher.js';
export type { Surroundings } from './surroundings.js';
export type { RunWarning } from './warning.js';
export { noteStart, type WatchedRun, type WatchRunOptions, watchRun } from './watch-run.js';
