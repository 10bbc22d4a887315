// All readers, most particular first: the first that recognises a file reads it.
import { consoleLog } from './console.js';
import { csv } from './csv.js';
import { elasticError } from './elastic-error.js';
import { flightRecorder } from './flight-recorder.js';
import { gpuHealth } from './gpu-health.js';
import { gpuMonitor } from './gpu-monitor.js';
import { gpuQuery } from './gpu-query.js';
import { gpuTable } from './gpu-table.js';
import { jsonDocument } from './json-document.js';
import { jsonLines } from './json-lines.js';
import { mlflowFiles } from './mlflow-files.js';
import { mlflowSqlite } from './mlflow-sqlite.js';
import { ncclRas } from './nccl-ras.js';
import { portReport } from './port-report.js';
import type { Reader } from './reader.js';
import { requirements } from './requirements.js';
import { hostFile, seatTable } from './seat-table.js';
import { settingsFile } from './settings-file.js';
import { slurmAccounting } from './slurm-accounting.js';
import { stackDump } from './stack-dump.js';
import { tensorboard } from './tensorboard.js';
import { trainerState } from './trainer-state.js';
import { wandb } from './wandb.js';

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
