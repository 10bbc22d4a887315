// What a recorded run shows, in the few facts that two recordings of one scenario must share.
import { type Diagnosis, diagnoseRecord, type RunRecord, readRun } from '@grus/training';

export interface Account {
  readonly exitCode: number;
  /** The type of the exception at the root: of the earliest traceback that is no launcher's, its first cause. */
  readonly exception: string | null;
  readonly lastStep: number | null;
  readonly diagnosis: Diagnosis;
  readonly record: RunRecord;
}

export async function accountOf(folder: string, exitCode: number): Promise<Account> {
  const record = await readRun(folder);
  const fatal = record.tracebacks.filter((traceback) => !traceback.launcher && !traceback.ignored);
  return {
    exitCode,
    exception: fatal.sort((a, b) => a.order - b.order)[0]?.chain[0]?.type ?? null,
    lastStep: record.lastStep,
    diagnosis: diagnoseRecord(record),
    record,
  };
}
