// How early and how rightly failures are announced: per lead the share of failures warned of and the precision of warnings, per
// warning the table that `grus watch` quotes, and false warnings among healthy steps.
import { type DiagnosedCategory, examine, learningVector, recordUntil } from '@grus/training';
import { quantile } from '../../statistics/index.js';
import type { ExaminedCase } from '../data/examined.js';
import { predict } from '../learned/index.js';
import type { CrossValidated } from '../protocol/cross-validate.js';
import { isRight } from '../protocol/prediction.js';
import { type KindRow, kindRows } from './kinds.js';
import { cameTrue, type GivenWarning, type Replayed, replay } from './replay.js';

export const leads = [10, 50, 100] as const;

export interface LeadRow {
  readonly steps_ahead: number;
  /** Failing runs that were long enough to be warned of so early. */
  readonly failures: number;
  readonly warned: number | null;
  readonly precision: number | null;
  /** Accuracy of the learned model on what had been logged by then. */
  readonly accuracy: number | null;
}

export interface WarningRow {
  readonly warning: string;
  readonly warnings: number;
  readonly precision: number;
  readonly median_lead_steps: number | null;
}

export interface LeadReport {
  readonly leads: readonly LeadRow[];
  readonly warnings: readonly WarningRow[];
  readonly kinds: readonly KindRow[];
  readonly healthy_steps: number;
  readonly false_warnings: readonly {
    readonly instance: string;
    readonly warning: string;
    readonly step: number;
  }[];
  readonly false_per_1000_steps: number | null;
}

export function measureWarnings(
  cases: readonly ExaminedCase[],
  folds: readonly number[],
  validated: CrossValidated | undefined,
  progress?: (done: number, total: number) => void,
): LeadReport {
  const runs = cases.map((entry, index) => {
    progress?.(index, cases.length);
    return replay(entry);
  });
  const healthy = runs.filter(({ entry }) => entry.category === 'healthy');
  const wrong = healthy.flatMap(({ entry, warnings }) =>
    warnings.map(({ warning, at }) => ({ instance: entry.id, warning: warning.warning, step: at })),
  );
  const healthySteps = healthy.reduce((sum, { steps }) => sum + steps, 0);
  return {
    leads: leads.map((ahead) => leadRow(ahead, runs, folds, validated)),
    warnings: warningRows(runs),
    kinds: kindRows(runs),
    healthy_steps: healthySteps,
    false_warnings: wrong,
    false_per_1000_steps: healthySteps === 0 ? null : (1000 * wrong.length) / healthySteps,
  };
}

function leadRow(
  ahead: number,
  runs: readonly Replayed[],
  folds: readonly number[],
  validated: CrossValidated | undefined,
): LeadRow {
  const failing = runs.filter(({ failedAt }) => failedAt !== null && failedAt > ahead);
  const early = ({ failedAt, steps, warnings }: Replayed): GivenWarning[] =>
    warnings.filter(({ at }) => at <= (failedAt ?? steps) - ahead);
  const given = runs.flatMap((run) => early(run).map((warning) => cameTrue(run.entry, warning)));
  const models = validated?.models ?? [];
  const seen = failing.map(({ entry, failedAt }) => {
    const model = models[folds[runs.findIndex((run) => run.entry === entry)]!];
    if (!model) return null;
    const vector = learningVector(examine(recordUntil(entry.examination.record, failedAt! - ahead)));
    return isRight(entry, predict(model, vector.values).label as DiagnosedCategory);
  });
  const known = seen.filter((value) => value !== null);
  return {
    steps_ahead: ahead,
    failures: failing.length,
    warned: share(failing.map((run) => early(run).some((warning) => cameTrue(run.entry, warning)))),
    precision: share(given),
    accuracy: share(known),
  };
}

export function warningRows(runs: readonly Replayed[]): WarningRow[] {
  const given = runs.flatMap((run) => run.warnings.map((warning) => ({ run, warning })));
  return [...new Set(given.map(({ warning }) => warning.warning.warning))].sort().map((name) => {
    const own = given.filter(({ warning }) => warning.warning.warning === name);
    const right = own.filter(({ run, warning }) => cameTrue(run.entry, warning));
    const ahead = right.flatMap(({ run, warning }) =>
      run.failedAt === null ? [] : [Math.max(0, run.failedAt - warning.at)],
    );
    return {
      warning: name,
      warnings: own.length,
      precision: right.length / own.length,
      median_lead_steps: quantile(ahead, 0.5),
    };
  });
}

function share(values: readonly boolean[]): number | null {
  return values.length === 0 ? null : values.filter(Boolean).length / values.length;
}
