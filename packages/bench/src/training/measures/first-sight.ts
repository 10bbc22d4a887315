// The four figures a draw is judged by: failing runs that are answered rightly, how far commits can be relied on, false alarms, and how
// often "healthy" is right when it is said.
import type { TrainingPrediction } from '../protocol/prediction.js';

export interface Share {
  readonly right: number;
  readonly of: number;
}

export interface FirstSight {
  /** Failing runs whose category is right; silence is right where the record cannot tell the cause. */
  readonly failing: Share;
  /** The same of runs whose record tells the cause. */
  readonly decidable: Share;
  /** Failing runs of which something was said, a cause or that they are healthy, and it was right. */
  readonly commits: Share;
  /** Failing runs for which a cause was named, rightly. */
  readonly causes: Share;
  /** Healthy runs that were called failing. */
  readonly false_alarms: Share;
  /** Runs called healthy that are. */
  readonly healthy_said: Share;
  /** Healthy runs that were called so: the others show no proof. */
  readonly healthy_found: Share;
}

export function firstSightOf(rows: readonly TrainingPrediction[]): FirstSight {
  const failing = rows.filter(({ actual }) => actual !== 'healthy');
  const healthy = rows.filter(({ actual }) => actual === 'healthy');
  const right = (row: TrainingPrediction): boolean => row.correct;
  const saysHealthy = ({ category }: TrainingPrediction): boolean => category === 'healthy';
  const silent = ({ category }: TrainingPrediction): boolean => category === 'unknown';
  return {
    failing: share(failing, right),
    decidable: share(
      failing.filter(({ actual }) => actual !== 'unknown'),
      right,
    ),
    commits: share(
      failing.filter((row) => !silent(row)),
      right,
    ),
    causes: share(
      failing.filter((row) => !silent(row) && !saysHealthy(row)),
      right,
    ),
    false_alarms: share(healthy, (row) => !saysHealthy(row) && !silent(row)),
    healthy_said: share(rows.filter(saysHealthy), ({ actual }) => actual === 'healthy'),
    healthy_found: share(healthy, saysHealthy),
  };
}

function share(rows: readonly TrainingPrediction[], holds: (row: TrainingPrediction) => boolean): Share {
  return { right: rows.filter(holds).length, of: rows.length };
}
