// What the functions of the package take and give. Field names are those of the command's JSON, which others script against.

export interface CheckNotebookOptions {
  /** The cell to judge: its number among the code cells, from 1, or its id. Without it, each cell is checked and then run. */
  readonly cell?: number | string;
  /** Start the kernel with this interpreter; it needs ipykernel. */
  readonly python?: string;
  /** Start this kernelspec. */
  readonly kernelName?: string;
  /** Whether to run the cell in an isolated copy of the kernel. Default: `always` for one cell, `auto` for all. */
  readonly dry?: 'auto' | 'always' | 'never';
  /** Also use new checks, whose false alarms have not been counted yet. Default false. */
  readonly preview?: boolean;
  /** Milliseconds that each cell before may take to run. Default: no limit. */
  readonly timeoutMs?: number;
}

export interface CellVerdict {
  readonly notebook: string | null;
  /** Number of the cell among the code cells, from 1. */
  readonly cell: number | null;
  readonly outcome: 'crash' | 'ok' | 'unknown';
  readonly confidence: number;
  /** The method that decided; null when none did. */
  readonly rung: string | null;
  readonly exception: { readonly type: string; readonly message: string } | null;
  /** Line in the cell, from 1; null without a crash. */
  readonly line: number | null;
  readonly evidence: readonly { readonly fact: string; readonly source: string }[];
  readonly explanation: string;
  readonly remedy: string | null;
  /** Id of the check that spoke. */
  readonly check: string | null;
  /** The Python that it holds for, and how it was found. */
  readonly interpreter: {
    readonly python: string | null;
    readonly kernel: string | null;
    readonly chosen_by: string;
    readonly certain: boolean;
    readonly why: string;
  } | null;
  readonly ms: number;
}

export interface NotebookVerdict extends CellVerdict {
  /** Every cell that was looked at; one when a cell was named. */
  readonly cells: readonly CellVerdict[];
}

export interface RunDiagnosis {
  readonly path: string;
  readonly outcome: 'failed' | 'degraded' | 'healthy' | 'unknown';
  readonly category: string;
  readonly subcause: string | null;
  readonly confidence: number;
  readonly abstained: boolean;
  readonly onset_step: number | null;
  readonly evidence: readonly { readonly fact: string; readonly file: string | null }[];
  readonly remedies: readonly { readonly kind: 'do' | 'avoid' | 'collect'; readonly text: string }[];
  readonly ms: number;
}
