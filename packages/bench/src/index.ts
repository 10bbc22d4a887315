export { type AblationReport, runAblation } from './ablation/run.js';
export { type AgentReport, runAgent } from './agent/run.js';
export { type AttackReport, runAttackReport } from './attacks/report.js';
export { type CompareOptions, type CompareReport, runCompare } from './compare/run.js';
export { type DryCostReport, runDryCost } from './dry/run.js';
export * from './false-alarms/index.js';
export { type FleetReport, runFleet } from './fleet/run.js';
export { type GpuEnduranceReport, runGpuEndurance } from './gpu/endurance.js';
export { type GpuReport, gpuMethods, runGpu } from './gpu/run.js';
export { type GuardReport, runGuard } from './guard/run.js';
export { type Calibration, calibrateVotes } from './junobench/calibrate.js';
export { type Instance, Junobench, type Mode, modes } from './junobench/data/load.js';
export { type ExecutedReport, runExecuted } from './junobench/executable/run.js';
export type { Estimate } from './junobench/live/estimate.js';
export { type Recording, recordJunobench } from './junobench/live/record.js';
export { ablationMethods } from './junobench/methods/names.js';
export {
  type JunobenchOptions,
  type JunobenchReport,
  type PredictionRow,
  runJunobench,
} from './junobench/run.js';
export { type RecordedState, snapshotOf } from './junobench/snapshot.js';
export { type LatencyReport, runLatency } from './latency/run.js';
export * from './live/index.js';
export { type LogsOptions, type LogsReport, runLogs } from './logs/run.js';
export { type ManyReport, runMany } from './many/run.js';
export { type RehearsalReport, runRehearsal } from './rehearsal/run.js';
export { renderAblation } from './report/ablation.js';
export { renderAgent } from './report/agent.js';
export { renderAttacks } from './report/attacks.js';
export { renderCompare } from './report/compare.js';
export { renderDryCost } from './report/dry-cost.js';
export { renderFalseAlarms } from './report/false-alarms.js';
export { renderFleet } from './report/fleet.js';
export { renderGpu, renderGpuEndurance } from './report/gpu.js';
export { renderGuard } from './report/guard.js';
export { renderJunobench } from './report/junobench.js';
export { renderJunobenchHtml } from './report/junobench-html.js';
export { renderExecuted } from './report/junobench-live.js';
export { renderLatency } from './report/latency.js';
export { renderLive } from './report/live.js';
export { renderLogs } from './report/logs.js';
export { renderMany } from './report/many.js';
export { renderRehearsal } from './report/rehearsal.js';
export { renderStartup } from './report/startup.js';
export { renderTraining } from './report/training.js';
export { renderFresh } from './report/training-fresh.js';
export { renderTrainingHtml } from './report/training-html.js';
export { renderTrainingMarkdown } from './report/training-markdown.js';
export { runStartup, type StartupReport } from './startup/run.js';
export * from './training/index.js';
