// How the checks do without those that only one group of libraries called for: a check counts in a group when it also speaks
// in a case of another group. What was written for one case alone does not help here, as it does not on unseen pairs.
import type { JudgedPrediction } from '../measure.js';

export interface LeftOut {
  readonly n: number;
  readonly accuracy: number;
  readonly false_alarms: number;
  /** Checks that spoke at all, and those of them that spoke in a single case. */
  readonly checks: number;
  readonly in_one_case: readonly string[];
}

/** null where no check spoke. */
export function leaveGroupsOut(predictions: readonly JudgedPrediction[]): LeftOut | null {
  const groups = new Map<string, Set<string>>();
  const cases = new Map<string, Set<string>>();
  for (const { instance, prediction } of predictions)
    for (const check of spoke(prediction)) {
      noted(groups, check).add(instance.label.library_group);
      noted(cases, check).add(instance.label.case);
    }
  if (cases.size === 0) return null;
  const told = predictions.map(({ instance, prediction }) => ({
    crashes: instance.crashes,
    predicted: spoke(prediction).some((check) =>
      [...groups.get(check)!].some((group) => group !== instance.label.library_group),
    ),
  }));
  return {
    n: told.length,
    accuracy: told.filter(({ crashes, predicted }) => crashes === predicted).length / told.length,
    false_alarms: told.filter(({ crashes, predicted }) => predicted && !crashes).length,
    checks: cases.size,
    in_one_case: [...cases].flatMap(([check, where]) => (where.size === 1 ? [check] : [])).sort(),
  };
}

function spoke({ outcome, checks = [] }: JudgedPrediction['prediction']): readonly string[] {
  return outcome === 'crash' ? checks : [];
}

function noted(table: Map<string, Set<string>>, key: string): Set<string> {
  const found = table.get(key) ?? new Set<string>();
  table.set(key, found);
  return found;
}
