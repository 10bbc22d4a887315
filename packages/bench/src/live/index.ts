export { type LivePair, loadPairs, type PairVersion } from './load.js';
export type { PairMeta } from './meta.js';
export { type LiveMethod, liveMethod, liveMethods } from './methods.js';
export type { LivePrediction } from './prediction.js';
export { type LiveReport, type RunLiveOptions, runLive } from './run.js';
export type { LateCrashes, LiveScore } from './score.js';
export { type Verification, type VerifyOptions, verifyPairs } from './verify.js';
export { sameVersions } from './versions.js';
