// One crash and its healthy twins. Both sides are really executed: the crash must raise what is written here, on the
// line written here, and the twins must run.

export interface NamesCase {
  readonly id: string;
  /** Run in the kernel before either side. */
  readonly setup?: string;
  /** In place of `setup` for the twins, where only the state differs. */
  readonly healthySetup?: string;
  readonly crash: string;
  readonly raises: string;
  readonly line: number;
  readonly healthy: string | readonly string[];
  /** Cells of the notebook besides the target: source and what became of them. */
  readonly cells?: readonly { readonly source: string; readonly status: 'not-run' | 'ok' | 'failed' }[];
  /** Words that the remedy must contain. */
  readonly remedy?: string;
}
