// All readers, most particular first: the first that recognises a file reads it.
import { consoleLog } from './console.js';
import { elasticError } from './jobs/elastic-error.js';
import { flightRecorder } from './jobs/flight-recorder.js';
import { ncclRas } from './jobs/nccl-ras.js';
import { hostFile, seatTable } from './jobs/seat-table.js';
import { slurmAccounting } from './jobs/slurm-accounting.js';
import { stackDump } from './jobs/stack-dump.js';
import { gpuHealth } from './machines/gpu-health.js';
import { gpuMonitor } from './machines/gpu-monitor.js';
import { gpuQuery } from './machines/gpu-query.js';
import { gpuTable } from './machines/gpu-table.js';
import { portReport } from './machines/port-report.js';
import type { Reader } from './reader.js';
import { requirements } from './requirements.js';
import { csv } from './rows/csv.js';
import { jsonDocument } from './rows/json-document.js';
import { jsonLines } from './rows/json-lines.js';
import { settingsFile } from './settings-file.js';
import { mlflowFiles } from './trackers/mlflow-files.js';
import { mlflowSqlite } from './trackers/mlflow-sqlite.js';
import { tensorboard } from './trackers/tensorboard.js';
import { trainerState } from './trackers/trainer-state.js';
import { wandb } from './trackers/wandb.js';

export const readers: readonly Reader[] = [
  tensorboard,
  wandb,
  mlflowSqlite,
  mlflowFiles,
  trainerState,
  elasticError,
  flightRecorder,
  ncclRas,
  seatTable,
  hostFile,
  jsonLines,
  jsonDocument,
  gpuTable,
  csv,
  gpuMonitor,
  gpuQuery,
  gpuHealth,
  portReport,
  slurmAccounting,
  stackDump,
  requirements,
  settingsFile,
  consoleLog,
];
