// Everything that a hostile notebook can try, in one report: attacks on what the user has, and healthy cells that a copy
// could misjudge.
import { readCells } from './cells.js';
import { isFalseAlarm, isFalseProof, type Judged, runHealthy } from './healthy.js';
import { type AttackOptions, type Escape, runAttacks, type Tried } from './run.js';

export interface AttackReport {
  readonly benchmark: 'attacks';
  readonly tried: readonly Tried[];
  readonly escapes: readonly Escape[];
  readonly healthy: readonly Judged[];
  readonly falseAlarms: readonly Judged[];
  readonly falseProofs: readonly Judged[];
}

export type AttackReportOptions = Pick<AttackOptions, 'python' | 'users' | 'onProgress'> & {
  /** Only kinds of this name. */
  readonly only?: string;
};

export async function runAttackReport(options: AttackReportOptions): Promise<AttackReport> {
  const wanted = ({ kind }: { readonly kind: string }) => options.only === undefined || kind === options.only;
  const { tried, escapes } = await runAttacks({ ...options, attacks: readCells('cells').filter(wanted) });
  const healthy = await runHealthy({ ...options, cells: readCells('healthy').filter(wanted) });
  return {
    benchmark: 'attacks',
    tried,
    escapes,
    healthy,
    falseAlarms: healthy.filter(isFalseAlarm),
    falseProofs: healthy.filter(isFalseProof),
  };
}
