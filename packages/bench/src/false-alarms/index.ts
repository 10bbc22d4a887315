export { defaultPackages } from './packages.js';
export { type FalseAlarmReport, type RunFalseAlarmsOptions, runFalseAlarms } from './run.js';
export type { FalseAlarmPrediction, FalseAlarmScore } from './score.js';
