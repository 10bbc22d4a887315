// How well the hybrid does on data that had no part in choosing its rule: the rule is chosen anew in every fold, without
// the fold, and judged on the fold. Folds are pairs, library groups, or whole models.
import type { Instance, Junobench } from '../data/load.js';
import type { Prediction } from '../methods/prediction.js';
import { productRule, type VotingRule, votingRules } from './rules.js';

export interface VotedInstance {
  readonly instance: Instance;
  readonly model: string;
  /** What the deterministic rungs predict; null where they leave it to the model. */
  readonly certain: boolean | null;
  readonly answers: readonly unknown[];
}

export interface RuleScore {
  readonly n: number;
  readonly accuracy: number;
  readonly false_alarms: number;
}

export interface FoldedScore extends RuleScore {
  /** How often each rule was chosen. */
  readonly chosen: Readonly<Record<string, number>>;
}

export interface CrossValidation {
  /** The product's rule on all of the data, which it was chosen on. */
  readonly in_sample: RuleScore;
  readonly by_pair: FoldedScore;
  readonly by_library_group: FoldedScore;
  /** The rule chosen on the answers of the other models; null with one model. */
  readonly by_model: FoldedScore | null;
  /** Every rule on all of the data. */
  readonly rules: Readonly<Record<string, RuleScore>>;
}

/** Everything that the rules need: the certain verdicts, and the recorded answers of each model. */
export async function votesOf(
  bench: Junobench,
  models: readonly string[],
  ladder: (instance: Instance) => Promise<Prediction>,
): Promise<VotedInstance[]> {
  const votes: VotedInstance[] = [];
  for (const instance of bench.instances) {
    const { outcome } = await ladder(instance);
    const certain = outcome === 'unknown' ? null : outcome === 'crash';
    for (const model of models)
      votes.push({ instance, model, certain, answers: bench.answers(model, 'code+runtime', instance) ?? [] });
  }
  return votes;
}

/** `own` are the votes of the model in question, `others` those of the other recorded models. */
export function crossValidate(
  own: readonly VotedInstance[],
  others: readonly VotedInstance[],
): CrossValidation {
  const table = new RuleTable([...own, ...others]);
  return {
    in_sample: table.score(productRule, own),
    by_pair: folded(table, own, ({ instance }) => instance.label.case),
    by_library_group: folded(table, own, ({ instance }) => instance.label.library_group),
    by_model: others.length === 0 ? null : scoredBy(table, [[table.best(others), own]]),
    rules: Object.fromEntries(votingRules.map((rule) => [rule.name, table.score(rule, own)])),
  };
}

function folded(
  table: RuleTable,
  own: readonly VotedInstance[],
  foldOf: (entry: VotedInstance) => string,
): FoldedScore {
  const folds = [...new Set(own.map(foldOf))];
  return scoredBy(
    table,
    folds.map((fold) => [
      table.best(own.filter((entry) => foldOf(entry) !== fold)),
      own.filter((entry) => foldOf(entry) === fold),
    ]),
  );
}

function scoredBy(
  table: RuleTable,
  folds: readonly (readonly [VotingRule, readonly VotedInstance[]])[],
): FoldedScore {
  const chosen: Record<string, number> = {};
  const scores = folds.map(([rule, entries]) => {
    chosen[rule.name] = (chosen[rule.name] ?? 0) + 1;
    return table.score(rule, entries);
  });
  const n = scores.reduce((sum, score) => sum + score.n, 0);
  return {
    n,
    accuracy: scores.reduce((sum, score) => sum + score.accuracy * score.n, 0) / Math.max(1, n),
    false_alarms: scores.reduce((sum, score) => sum + score.false_alarms, 0),
    chosen,
  };
}

/** What every rule predicts of every instance, read once. */
class RuleTable {
  readonly #predicted = new Map<VotedInstance, ReadonlyMap<VotingRule, boolean>>();

  constructor(entries: readonly VotedInstance[]) {
    for (const entry of entries)
      this.#predicted.set(
        entry,
        new Map(votingRules.map((rule) => [rule, entry.certain ?? rule.crashes(entry.answers)])),
      );
  }

  score(rule: VotingRule, entries: readonly VotedInstance[]): RuleScore {
    let right = 0;
    let alarms = 0;
    for (const entry of entries) {
      const predicted = this.#predicted.get(entry)!.get(rule)!;
      if (predicted === entry.instance.crashes) right++;
      else if (predicted) alarms++;
    }
    return { n: entries.length, accuracy: right / Math.max(1, entries.length), false_alarms: alarms };
  }

  /** The most accurate rule; of several the one with fewer false alarms, then the first. */
  best(entries: readonly VotedInstance[]): VotingRule {
    const scored = votingRules.map((rule) => ({ rule, ...this.score(rule, entries) }));
    scored.sort((a, b) => b.accuracy - a.accuracy || a.false_alarms - b.false_alarms);
    return scored[0]!.rule;
  }
}
