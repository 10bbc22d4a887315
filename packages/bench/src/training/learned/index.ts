// Every learner by its name, and reading a stored model back.
import { boosting, type StoredBoosting } from './boosting.js';
import { cart, type StoredTree } from './cart.js';
import type { Classifier } from './classifier.js';
import { decisionList, type StoredDecisionList } from './decision-list.js';
import { ebm, type StoredEbm } from './ebm.js';
import { forest, type StoredForest } from './forest.js';
import { logistic, type StoredLogistic } from './logistic.js';

export { type Classifier, type Learner, type Prediction, predict } from './classifier.js';
export { type Dataset, subset } from './dataset.js';
export type { Ebm } from './ebm.js';

export const learners = { 'decision-list': decisionList, logistic, cart, forest, boosting, ebm } as const;
export type LearnerName = keyof typeof learners;

export type StoredModel =
  | StoredTree
  | StoredForest
  | StoredBoosting
  | StoredEbm
  | StoredLogistic
  | StoredDecisionList;

export function restoreModel(stored: StoredModel): Classifier {
  switch (stored.kind) {
    case 'cart':
      return cart.restore(stored);
    case 'forest':
      return forest.restore(stored);
    case 'boosting':
      return boosting.restore(stored);
    case 'ebm':
      return ebm.restore(stored);
    case 'logistic':
      return logistic.restore(stored);
    case 'decision-list':
      return decisionList.restore(stored);
  }
}
