// Every detector there is, made by `npm run generate` from the files of the families. A symptom is only looked for when its detector
// stands here.
import { catastrophicPerplexity } from './data/catastrophic-perplexity.js';
import { chanceLevel } from './data/chance-level.js';
import { decodeError } from './data/decode-error.js';
import { degenerateLabels } from './data/degenerate-labels.js';
import { emptyData } from './data/empty-data.js';
import { ignoredTargets } from './data/ignored-targets.js';
import { indexOutOfRange } from './data/index-out-of-range.js';
import { labelOutOfRange } from './data/label-out-of-range.js';
import { leakage } from './data/leakage.js';
import { missingData } from './data/missing-data.js';
import { nanInData } from './data/nan-in-data.js';
import { nothingMeasured } from './data/nothing-measured.js';
import { raggedBatch } from './data/ragged-batch.js';
import { rewardsAlike } from './data/rewards-alike.js';
import { shuffledLabels } from './data/shuffled-labels.js';
import { tokenOutOfVocabulary } from './data/token-out-of-vocabulary.js';
import { tokenizerMismatch } from './data/tokenizer-mismatch.js';
import { truncatedData } from './data/truncated-data.js';
import type { Detector } from './define.js';
import { collectiveMismatch } from './distributed/collective-mismatch.js';
import { collectiveTimeout } from './distributed/collective-timeout.js';
import { gpuLost } from './distributed/gpu-lost.js';
import { gpuMemoryFault } from './distributed/gpu-memory-fault.js';
import { launchSettings } from './distributed/launch-settings.js';
import { loaderStall } from './distributed/loader-stall.js';
import { missingRank } from './distributed/missing-rank.js';
import { networkLink } from './distributed/network-link.js';
import { nvlinkFault } from './distributed/nvlink-fault.js';
import { rankStandstill } from './distributed/rank-standstill.js';
import { rankZeroWork } from './distributed/rank-zero-work.js';
import { rendezvous } from './distributed/rendezvous.js';
import { replicaDrift } from './distributed/replica-drift.js';
import { slowCheckpoint } from './distributed/slow-checkpoint.js';
import { slowLink } from './distributed/slow-link.js';
import { slowLoader } from './distributed/slow-loader.js';
import { straggler } from './distributed/straggler.js';
import { stuckRank } from './distributed/stuck-rank.js';
import { unevenBatches } from './distributed/uneven-batches.js';
import { unusedParameters } from './distributed/unused-parameters.js';
import { versionsApart } from './distributed/versions-apart.js';
import { gpuCapacity } from './memory/gpu-capacity.js';
import { gpuEvalGraph } from './memory/gpu-eval-graph.js';
import { gpuFragmentation } from './memory/gpu-fragmentation.js';
import { gpuImpossibleRequest } from './memory/gpu-impossible-request.js';
import { gpuLeak } from './memory/gpu-leak.js';
import { gpuLongBatch } from './memory/gpu-long-batch.js';
import { gpuOptimizerState } from './memory/gpu-optimizer-state.js';
import { gpuOtherProcess } from './memory/gpu-other-process.js';
import { hostMemory } from './memory/host-memory.js';
import { sharedMemory } from './memory/shared-memory.js';
import { workerDeath } from './memory/worker-death.js';
import { checkpointMismatch } from './model/checkpoint-mismatch.js';
import { codeError } from './model/code-error.js';
import { codeSlips } from './model/code-slips.js';
import { deviceMismatch } from './model/device-mismatch.js';
import { dtypeMismatch } from './model/dtype-mismatch.js';
import { foreignParameters } from './model/foreign-parameters.js';
import { frozenParameters } from './model/frozen-parameters.js';
import { gradientsNotCleared } from './model/gradients-not-cleared.js';
import { graphReused } from './model/graph-reused.js';
import { headsNotDivisible } from './model/heads-not-divisible.js';
import { impossibleScore } from './model/impossible-score.js';
import { inPlaceChange } from './model/in-place-change.js';
import { invalidConfiguration } from './model/invalid-configuration.js';
import { metricStandsStill } from './model/metric-stands-still.js';
import { missingPackage } from './model/missing-package.js';
import { nativeCrash } from './model/native-crash.js';
import { positionTable } from './model/position-table.js';
import { raisedMessage } from './model/raised-message.js';
import { shapeMismatch } from './model/shape-mismatch.js';
import { versionMismatch } from './model/version-mismatch.js';
import { wrongObjective } from './model/wrong-objective.js';
import { deadUnits } from './optimization/dead-units.js';
import { divergence } from './optimization/divergence.js';
import { divergenceAfterSchedule } from './optimization/divergence-after-schedule.js';
import { gotWorse } from './optimization/got-worse.js';
import { gradientExplosion } from './optimization/gradient-explosion.js';
import { gradientVanishing } from './optimization/gradient-vanishing.js';
import { learningRateTooHigh } from './optimization/learning-rate-too-high.js';
import { learningRateTooLow } from './optimization/learning-rate-too-low.js';
import { lossScaleCollapse } from './optimization/loss-scale-collapse.js';
import { modeCollapse } from './optimization/mode-collapse.js';
import { oscillation } from './optimization/oscillation.js';
import { overfit } from './optimization/overfit.js';
import { plateau } from './optimization/plateau.js';
import { policyCollapse } from './optimization/policy-collapse.js';
import { precisionOverflow } from './optimization/precision-overflow.js';
import { trainEvalGap } from './optimization/train-eval-gap.js';
import { unstableOperation } from './optimization/unstable-operation.js';
import { weightDecayTooHigh } from './optimization/weight-decay-too-high.js';
import { deviceFault } from './platform/device-fault.js';
import { diskFull } from './platform/disk-full.js';
import { hang } from './platform/hang.js';
import { network } from './platform/network.js';
import { openFiles } from './platform/open-files.js';
import { preempted } from './platform/preempted.js';
import { restartLoop } from './platform/restart-loop.js';
import { slowdown } from './platform/slowdown.js';
import { storageFault } from './platform/storage-fault.js';
import { terminated } from './platform/terminated.js';
import { timeLimit } from './platform/time-limit.js';

export const detectors: readonly Detector[] = [
  gpuCapacity,
  gpuEvalGraph,
  gpuFragmentation,
  gpuImpossibleRequest,
  gpuLeak,
  gpuLongBatch,
  gpuOptimizerState,
  gpuOtherProcess,
  hostMemory,
  sharedMemory,
  workerDeath,
  deviceFault,
  diskFull,
  hang,
  network,
  openFiles,
  preempted,
  restartLoop,
  slowdown,
  storageFault,
  terminated,
  timeLimit,
  collectiveMismatch,
  collectiveTimeout,
  gpuLost,
  gpuMemoryFault,
  launchSettings,
  loaderStall,
  missingRank,
  networkLink,
  nvlinkFault,
  rankStandstill,
  rankZeroWork,
  rendezvous,
  replicaDrift,
  slowCheckpoint,
  slowLink,
  slowLoader,
  straggler,
  stuckRank,
  unevenBatches,
  unusedParameters,
  versionsApart,
  deadUnits,
  divergence,
  divergenceAfterSchedule,
  gotWorse,
  gradientExplosion,
  gradientVanishing,
  learningRateTooHigh,
  learningRateTooLow,
  lossScaleCollapse,
  modeCollapse,
  oscillation,
  overfit,
  plateau,
  policyCollapse,
  precisionOverflow,
  trainEvalGap,
  unstableOperation,
  weightDecayTooHigh,
  catastrophicPerplexity,
  chanceLevel,
  decodeError,
  degenerateLabels,
  emptyData,
  ignoredTargets,
  indexOutOfRange,
  labelOutOfRange,
  leakage,
  missingData,
  nanInData,
  nothingMeasured,
  raggedBatch,
  rewardsAlike,
  shuffledLabels,
  tokenOutOfVocabulary,
  tokenizerMismatch,
  truncatedData,
  checkpointMismatch,
  codeError,
  codeSlips,
  deviceMismatch,
  dtypeMismatch,
  foreignParameters,
  frozenParameters,
  gradientsNotCleared,
  graphReused,
  headsNotDivisible,
  impossibleScore,
  inPlaceChange,
  invalidConfiguration,
  metricStandsStill,
  missingPackage,
  nativeCrash,
  positionTable,
  raisedMessage,
  shapeMismatch,
  versionMismatch,
  wrongObjective,
];
