export { type DiagnoseOptions, diagnose, diagnoseRecord } from './diagnose/diagnose.js';
export { renderHtml } from './diagnose/html.js';
export { type ReportOptions, renderReport } from './diagnose/report.js';
export {
  type FollowRunOptions,
  followRun,
  type ReadRunOptions,
  RunFollower,
  readRun,
} from './readers/index.js';
export type { RunRecord } from './record/run-record.js';
export type { Diagnosis, Hypothesis, Remedy, RunOutcome } from './rules/diagnosis.js';
