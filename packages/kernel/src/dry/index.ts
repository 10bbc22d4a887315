export { type DryRunOptions, dryRun } from './dry-run.js';
export { type DryCell, type DryRunResult, type IsolationStrength, strengths } from './schema.js';
