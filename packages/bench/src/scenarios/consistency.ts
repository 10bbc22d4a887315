// Is the label believable from the artefacts alone? Complaints must be put right; doubts deserve a second look.
import { categories } from '@grus/training';
import type { Account } from './account.js';
import type { ScenarioEntry } from './entry.js';

export interface Opinion {
  readonly complaints: readonly string[];
  readonly doubts: readonly string[];
}

const readersOf: Partial<Record<ScenarioEntry['format'], readonly string[]>> = {
  jsonl: ['json-lines'],
  csv: ['csv'],
  tensorboard: ['tensorboard'],
  wandb: ['wandb'],
  mlflow: ['mlflow-sqlite'],
  'mlflow-files': ['mlflow-files'],
  'lightning-csv': ['csv'],
  'keras-csv': ['csv'],
  'keras-history': ['json-document'],
};

const sureEnough = 0.9;
/** Runs log every few steps, so that the failing one may lie behind the last that was logged. */
const logGap = 5;

export function judgeLabel(entry: ScenarioEntry, account: Account): Opinion {
  const complaints: string[] = [];
  const doubts: string[] = [];
  const { record, exitCode, exception, diagnosis } = account;
  const points = record.series.reduce((sum, series) => sum + series.seen, 0);
  if (entry.category === 'healthy') {
    if (exitCode !== 0) complaints.push(`a healthy run ends with code 0, not ${exitCode}`);
    if (exception !== null) complaints.push(`a healthy run raises no ${exception}`);
    if (points === 0) complaints.push('a healthy run logs something that shows its health');
  } else if (exitCode === 0 && exception === null && points === 0)
    complaints.push('nothing failed: it ended well and logged no series that could show a failure');
  const { onset_step: onset } = entry;
  if (onset != null && record.lastStep !== null && onset > 1.1 * record.lastStep + logGap)
    complaints.push(`the onset at step ${onset} lies beyond the last recorded step ${record.lastStep}`);
  const wanted = readersOf[entry.format];
  if (wanted && points > 0 && !record.sources.some((source) => wanted.includes(source.reader)))
    complaints.push(`no file is in the format ${entry.format}`);
  const said = diagnosis.category;
  if (!diagnosis.abstained && diagnosis.confidence >= sureEnough && said !== entry.category && isCause(said))
    doubts.push(`the diagnosis says ${said} (${diagnosis.subcause}) with ${diagnosis.confidence}`);
  return { complaints, doubts };
}

function isCause(category: string | null): boolean {
  return category === 'healthy' || (categories as readonly (string | null)[]).includes(category);
}
