// What the ways of judging a standing share: by a score, or by a loss.
import { finiteValues } from '../features/curve.js';
import type { RunView } from '../features/view.js';

/** `constant`: no better than one answer for every input. `unclear`: the record does not decide it. */
export type StandingKind = 'beats' | 'constant' | 'unclear';

export type Split = 'train' | 'eval' | 'test';

export type Judged = readonly [kind: StandingKind, fact: string];

export const late = (values: readonly number[]): readonly number[] =>
  values.slice(-Math.max(1, Math.floor(values.length / 3)));

/** Where the loss was before anything was learned, as far as the run shows it. */
export function startOf(view: RunView): number | null {
  const trained = view.curve('loss');
  if (!trained || trained.finite.length < 10) return null;
  const last = view.record.lastStep ?? trained.steps[trained.finite.at(-1)!]!;
  const first = trained.finite[0]!;
  const early = trained.finite.length >= 20 ? 0.05 : 0.03;
  return trained.steps[first]! <= early * last ? trained.values[first]! : null;
}

/** What the hooks counted over the labels, where they did. */
export function recorded(
  view: RunView,
  metric: 'majority_share' | 'constant_loss' | 'target_variance',
): number | null {
  const curve = view.curve(metric);
  const values = curve ? finiteValues(curve) : [];
  return values.length === 0 ? null : values.at(-1)!;
}
