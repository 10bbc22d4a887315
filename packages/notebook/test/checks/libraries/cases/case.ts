// One crash and its healthy twins. Both sides are really executed: the crash must raise what is written here, on the
// line written here, and the twins must run.

export interface CheckCase {
  /** The check that has to speak. */
  readonly check: string;
  readonly name?: string;
  /** Run in the kernel before either side. */
  readonly setup?: string;
  /** In place of `setup` for the twins, where only the state differs. */
  readonly healthySetup?: string;
  readonly crash: string;
  readonly raises: string;
  readonly line: number;
  readonly healthy: string | readonly string[];
  /** A Python condition without which the case says nothing about this installation. */
  readonly onlyIf?: string;
}
