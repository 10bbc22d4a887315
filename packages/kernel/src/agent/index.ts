export { agentVersion, type InstallOptions, installAgent } from './install.js';
export { type SnapshotOptions, type TakenSnapshot, takeSnapshot } from './snapshot.js';
