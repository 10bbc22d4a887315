// How a run ended, as far as its artefacts say: codes, signals, and what a launcher, scheduler or kernel wrote.
import type { Where } from './where.js';

export type ExitSource =
  | 'torchrun'
  | 'shell'
  | 'slurm'
  /** PBS, LSF, Grid Engine, and those of clouds. */
  | 'scheduler'
  | 'kubernetes'
  | 'kernel'
  | 'wandb'
  | 'mlflow'
  | 'python'
  | 'grus';

export type ExitReason =
  | 'completed'
  | 'failed'
  | 'signal'
  | 'out_of_memory'
  | 'timeout'
  | 'cancelled'
  | 'preempted'
  | 'node_failure'
  | 'running';

export interface Exit {
  readonly source: ExitSource;
  readonly reason: ExitReason;
  /** As printed: negative codes of torchrun become `signal`. */
  readonly code: number | null;
  /** "SIGKILL". */
  readonly signal: string | null;
  readonly rank: number | null;
  /** One worker's end, after which a launcher may start all of them again. */
  readonly passing?: true;
  /** Its launcher saw it end before the others. */
  readonly isFirst?: true;
  /** The program itself said it: it holds where nothing is measured behind it. */
  readonly spoken?: true;
  readonly text: string;
  readonly at: Where;
  readonly time: number | null;
  readonly step: number | null;
}
