export { defaultPackages } from './packages.js';
export { type FalseAlarmReport, type RunFalseAlarmsOptions, runFalseAlarms } from './run.js';
export { type FalseAlarmPrediction, type FalseAlarmScore, measuredChecks } from './score.js';
