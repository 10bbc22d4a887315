// The figures of a set of logs: the failing ones that were named right, what was claimed wrongly, false alarms, and how many
// of the unsettled were left open. Repositories that committed many logs of one kind are also weighed as one.
import { caseCategories } from '../training/data/case.js';
import type { LogPrediction } from './prediction.js';

export interface LogScore {
  readonly n: number;
  readonly failing: number;
  /** Of the failing logs whose cause is settled, those whose category was named. */
  readonly accuracy_failing: number | null;
  /** The same with each repository counting once. */
  readonly accuracy_by_repository: number | null;
  readonly subcause_accuracy: number | null;
  /** Of the settled failing logs that got a cause, those that got the right one. */
  readonly of_commits: number | null;
  /** Healthy logs in which a failure was diagnosed. */
  readonly false_alarms: number;
  readonly healthy: number;
  /** Failing logs that were called healthy. */
  readonly false_healthy: number;
  /** Of the logs whose cause nobody settled, those that were left open. */
  readonly unknown_of_unsettled: number | null;
  /** The same figures where a category that the label calls as right counts as right; silence about a failing log never does. */
  readonly accepted: {
    readonly accuracy_failing: number | null;
    readonly of_commits: number | null;
    readonly false_alarms: number;
    readonly unknown_of_unsettled: number | null;
  };
  readonly categories: Readonly<Record<string, { readonly n: number; readonly accuracy: number | null }>>;
}

export function scoreLogs(rows: readonly LogPrediction[]): LogScore {
  const failing = rows.filter(({ actual }) => actual !== 'healthy' && actual !== 'unknown');
  const healthy = rows.filter(({ actual }) => actual === 'healthy');
  const unsettled = rows.filter(({ actual }) => actual === 'unknown');
  const committed = failing.filter(isCommitted);
  const alarms = healthy.filter((row) => isCommitted(row) && !isRight(row));
  return {
    n: rows.length,
    failing: failing.length,
    accuracy_failing: shareOf(failing, isRight),
    accuracy_by_repository: byRepository(failing),
    subcause_accuracy: shareOf(failing, ({ subcause, actual_subcause }) => subcause === actual_subcause),
    of_commits: shareOf(committed, isRight),
    false_alarms: alarms.length,
    healthy: healthy.length,
    false_healthy: failing.filter(({ category }) => category === 'healthy').length,
    unknown_of_unsettled: shareOf(unsettled, isRight),
    accepted: {
      accuracy_failing: shareOf(failing, (row) => isCommitted(row) && isAccepted(row)),
      of_commits: shareOf(committed, isAccepted),
      false_alarms: alarms.filter((row) => !isAccepted(row)).length,
      unknown_of_unsettled: shareOf(unsettled, isAccepted),
    },
    categories: Object.fromEntries(
      caseCategories.map((name) => {
        const held = rows.filter(({ actual }) => actual === name);
        return [name, { n: held.length, accuracy: shareOf(held, isRight) }];
      }),
    ),
  };
}

function isRight({ actual, category }: LogPrediction): boolean {
  return actual === category;
}

function isAccepted(row: LogPrediction): boolean {
  return isRight(row) || row.accept.includes(row.category);
}

function isCommitted({ category }: LogPrediction): boolean {
  return category !== 'unknown';
}

function shareOf(rows: readonly LogPrediction[], counts: (row: LogPrediction) => boolean): number | null {
  return rows.length === 0 ? null : rows.filter(counts).length / rows.length;
}

function byRepository(rows: readonly LogPrediction[]): number | null {
  const shares = [...new Set(rows.map(({ repository }) => repository))].map(
    (name) =>
      shareOf(
        rows.filter(({ repository }) => repository === name),
        isRight,
      )!,
  );
  return shares.length === 0 ? null : shares.reduce((sum, value) => sum + value, 0) / shares.length;
}
