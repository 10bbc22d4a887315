export {
  agentPayload,
  agentVersion,
  type InstallOptions,
  installAgent,
  type SnapshotOptions,
  snapshotRequestType,
  type TakenSnapshot,
  takeSnapshot,
} from './agent/index.js';
export { ping } from './client/handshake.js';
export { pause, timedOut, within } from './client/wait.js';
export {
  type DryCell,
  type DryRunOptions,
  type DryRunResult,
  dryReply,
  dryRequest,
  dryRun,
  type InquireOptions,
  type IsolationStrength,
  inquire,
  type Questions,
  type Step,
  type StepAnswer,
  strengths,
  type ToldValue,
} from './dry/index.js';
export {
  KernelBusyError,
  KernelDiedError,
  KernelTimeoutError,
  KernelUnavailableError,
  UnknownRequestError,
} from './errors.js';
export {
  type ChoiceRequest,
  type ChosenBy,
  type ChosenKernel,
  chooseKernel,
  interpreterOf,
  type PassedOver,
} from './interpreters/choose.js';
export {
  activeEnvironments,
  baseEnvironment,
  nearEnvironments,
} from './interpreters/environments.js';
export { type Offers, offersOf, type Wanted } from './interpreters/offers.js';
export { installedVersions, missingModules, probeInterpreter } from './interpreters/probe.js';
export type {
  ExecuteError,
  ExecuteOptions,
  ExecuteResult,
  Kernel,
  KernelInfo,
  KernelStatus,
  Reply,
  RequestOptions,
  SubshellUse,
} from './kernel.js';
export { type AttachOptions, attachKernel } from './local/attach.js';
export { findKernelSpec, findKernelSpecs, type KernelSpec } from './local/kernelspecs.js';
export { type StartOptions, startKernel } from './local/start.js';
export type { Content } from './protocol/message.js';
export { closeAllKernels } from './registry.js';
export {
  connectServer,
  type JupyterServer,
  type ServerKernelOptions,
  type ServerOptions,
} from './server/server.js';
export * from './snapshot/index.js';
export { withKernel } from './with-kernel.js';
