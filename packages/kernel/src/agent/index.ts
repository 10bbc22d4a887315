export { agentPayload, agentVersion, type InstallOptions, installAgent } from './install.js';
export { type SnapshotOptions, snapshotRequestType, type TakenSnapshot, takeSnapshot } from './snapshot.js';
