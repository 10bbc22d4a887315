export { type Instance, Junobench, type Mode } from './junobench/data/load.js';
export { type RecordedState, snapshotOf } from './junobench/snapshot.js';
