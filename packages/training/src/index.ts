export {
  type Actor,
  actors,
  type Cause,
  categories,
  type Effect,
  type FailureCategory,
} from './causes/define.js';
export { causeOf, causes, type Subcause, subcauses } from './causes/table.js';
export { compareJudged, compareRuns } from './compare/compare.js';
export type { Difference, Explanation, RunComparison } from './compare/define.js';
export { shown as shownValue } from './compare/explain.js';
export { conclusion, renderComparison } from './compare/report.js';
export type { Detector, Role, RunEvidence, Signal, Symptom } from './detectors/define.js';
export { type Examination, examine, learningVector } from './detectors/examine.js';
export { detectors } from './detectors/registry.js';
export { type DiagnoseOptions, diagnose, diagnoseRecord } from './diagnose/diagnose.js';
export { chartData, chartLibrary, renderHtml } from './diagnose/html.js';
export { chartScript } from './diagnose/page-charts.js';
export { type Panel, panelsOf } from './diagnose/panels.js';
export { lanesSvg } from './diagnose/rank-picture.js';
export { headline, type ReportOptions, renderReport, whoActs } from './diagnose/report.js';
export { type JudgedRun, judgeSeveral, separateRuns } from './diagnose/several.js';
export { renderTable } from './diagnose/table.js';
export { describeUnderstood, type Understood, understoodOf } from './diagnose/understood.js';
export type { Feature, FeatureFamily } from './features/define.js';
export { extractFeatures, type FeatureVector, featureTable } from './features/extract.js';
export { type Health, type HealthOrLack, type Lack, provenHealth } from './health/health.js';
export { heldOutStanding, standingOf } from './health/standing.js';
export { type Lane, lanesOf, pictureOf } from './ranks/verdict/picture.js';
export {
  type FollowRunOptions,
  type FoundFile,
  type FoundRun,
  type FoundRuns,
  findRuns,
  followRun,
  type InputKind,
  mayBeOfRun,
  type ReadRunOptions,
  RunFollower,
  readFiles,
  readRun,
  runsAmong,
} from './readers/index.js';
export { findSeries, type MetricName, type RunRecord } from './record/run-record.js';
export { recordUntil } from './record/until.js';
export { commitAt, resolveAt } from './rules/confidence.js';
export { rules, rulesMethod } from './rules/decision-list.js';
export type {
  DiagnosedCategory,
  Diagnosis,
  DiagnosisRung,
  Hypothesis,
  Judgement,
  Method,
  Remedy,
  RunOutcome,
} from './rules/diagnosis.js';
export { treeMethod } from './rules/weigh.js';
export { courseVector } from './triage/course.js';
export {
  hybridMethod,
  type LearnedModel,
  type TriageOptions,
  type TriageResult,
  triage,
} from './triage/hybrid.js';
export {
  type CourseCategory,
  type CourseModel,
  mayLookAgain,
} from './triage/second-look.js';
export type { StoredTree } from './triage/trees.js';
export {
  type CommandEnd,
  lookOnce,
  type MeasuredPrecision,
  noteStart,
  type PrecisionTable,
  precursors,
  type RunningCommand,
  type RunStatus,
  type RunWarning,
  RunWatcher,
  renderWarning,
  type Surroundings,
  startCommand,
  type WatchedRun,
  type WatchRunOptions,
  watchRun,
} from './watch/index.js';
