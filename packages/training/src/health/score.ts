// The score of a split that grows with quality: accuracy or F1, or a share of the variance explained.
import { type Curve, finiteValues } from '../features/curve.js';
import type { RunView } from '../features/view.js';
import type { Split } from '../record/run-record.js';

export interface Score {
  readonly kind: 'accuracy' | 'explained';
  readonly curve: Curve;
  readonly values: readonly number[];
}

export function scoreOf(view: RunView, split: Split): Score | null {
  const accuracy = view.curve('accuracy', split) ?? view.curve('f1', split);
  const curve = accuracy ?? view.curve('explained_variance', split);
  if (!curve || curve.finite.length === 0) return null;
  return { kind: accuracy ? 'accuracy' : 'explained', curve, values: finiteValues(curve) };
}
