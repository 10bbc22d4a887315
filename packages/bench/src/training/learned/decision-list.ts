// A decision list of at most 25 rules, read off the purest leaves of a depth-5 tree: short enough to print and to argue
// with. The first rule that holds decides; a run that no rule covers gets the share of the classes.
import { cart } from './cart.js';
import type { Classifier, Learner } from './classifier.js';
import { type Dataset, weightsOf } from './dataset.js';
import { isLeaf, type TreeNode } from './tree.js';

export interface DecisionListOptions {
  readonly maxRules: number;
  readonly maxDepth: number;
  readonly minLeaf: number;
}

export interface Condition {
  readonly feature: number;
  readonly relation: '<=' | '>';
  readonly threshold: number;
  /** Whether a missing value satisfies the condition. */
  readonly missingHolds: boolean;
}

export interface Rule {
  readonly conditions: readonly Condition[];
  readonly probabilities: readonly number[];
  readonly cover: number;
}

export interface StoredDecisionList {
  readonly kind: 'decision-list';
  readonly classes: readonly string[];
  readonly features: readonly string[];
  readonly rules: readonly Rule[];
  readonly otherwise: readonly number[];
}

export const decisionList: Learner<DecisionListOptions, StoredDecisionList> = {
  name: 'decision-list',
  fit(dataset, { maxRules = 25, maxDepth = 5, minLeaf = 3 } = {}) {
    const { root } = cart.fit(dataset, { maxDepth, minLeaf }).toJSON();
    const rules = leaves(root)
      .sort((a, b) => Math.max(...b.probabilities) - Math.max(...a.probabilities) || b.cover - a.cover)
      .slice(0, maxRules);
    return this.restore({
      kind: 'decision-list',
      classes: dataset.classes,
      features: dataset.features,
      rules,
      otherwise: shares(dataset),
    });
  },
  restore(stored): Classifier<StoredDecisionList> {
    return {
      classes: stored.classes,
      features: stored.features,
      probabilities: (row) => [
        ...(stored.rules.find((rule) => rule.conditions.every((condition) => holds(condition, row)))
          ?.probabilities ?? stored.otherwise),
      ],
      toJSON: () => stored,
    };
  },
};

function holds({ feature, relation, threshold, missingHolds }: Condition, row: ArrayLike<number>): boolean {
  const value = row[feature]!;
  if (Number.isNaN(value)) return missingHolds;
  return relation === '<=' ? value <= threshold : value > threshold;
}

function leaves(node: TreeNode, conditions: readonly Condition[] = []): Rule[] {
  if (isLeaf(node))
    return [{ conditions: tighten(conditions), probabilities: node.value, cover: node.cover }];
  const { feature, threshold, missing } = node;
  return [
    ...leaves(node.left, [
      ...conditions,
      { feature, relation: '<=', threshold, missingHolds: missing === 'left' },
    ]),
    ...leaves(node.right, [
      ...conditions,
      { feature, relation: '>', threshold, missingHolds: missing === 'right' },
    ]),
  ];
}

/** Keeps, of several conditions on one feature in one direction, the one that implies the others. */
function tighten(conditions: readonly Condition[]): Condition[] {
  const kept = new Map<string, Condition>();
  for (const condition of conditions) {
    const key = `${condition.feature} ${condition.relation}`;
    const earlier = kept.get(key);
    const missingHolds = condition.missingHolds && (earlier?.missingHolds ?? true);
    const pick = condition.relation === '<=' ? Math.min : Math.max;
    kept.set(key, {
      ...condition,
      threshold: earlier ? pick(earlier.threshold, condition.threshold) : condition.threshold,
      missingHolds,
    });
  }
  return [...kept.values()];
}

function shares(dataset: Dataset): number[] {
  const weights = weightsOf(dataset);
  const sums = dataset.classes.map(() => 0);
  dataset.labels.forEach((label, row) => {
    sums[label]! += weights[row]!;
  });
  const total = sums.reduce((sum, value) => sum + value, 0);
  return sums.map((sum) => sum / total);
}
