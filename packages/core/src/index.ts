export { GrusError, type GrusErrorOptions } from './errors.js';
export type { Evidence } from './evidence.js';
export type { Edit, Finding, PredictedException } from './finding.js';
export { climb, type Rung, type RungResult } from './ladder.js';
export { editDistance, nearest } from './near.js';
export type { Place } from './place.js';
export { type RedactionLevel, redactionLevels } from './redaction/level.js';
export { removeSecrets } from './redaction/secrets.js';
export { type Outcome, quietVerdict, type RungReport, type Verdict } from './verdict.js';
