export { type DryRunOptions, dryReply, dryRequest, dryRun } from './dry-run.js';
export {
  type InquireOptions,
  inquire,
  type Questions,
  type Step,
  type StepAnswer,
  type ToldValue,
} from './inquire.js';
export { type DryCell, type DryRunResult, type IsolationStrength, strengths } from './schema.js';
