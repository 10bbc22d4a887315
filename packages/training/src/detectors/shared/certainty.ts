// When does a policy always do the same? Whoever calls that a collapse and whoever calls a rising reward learning both ask.
import { type Curve, finiteValues, toCurve } from '../../features/curve.js';
import { median } from '../../features/robust.js';
import type { RunView } from '../../features/view.js';
import { figure } from '../../record/figures.js';

/** What people paste of a run: three boxes of numbers. */
export const fewest = 3;

interface Certainty {
  readonly curve: Curve;
  readonly index: number;
  readonly step: number;
  /** Within the first tenth of the run. */
  readonly early: boolean;
  /** Nothing is left of it from there on, as far as a number of many digits tells. */
  readonly wholly: boolean;
  readonly fact: string;
}

/** The spread of what a policy draws its actions from; that of what it earns is another thing. */
const spreadOfActions = /^(?:\w+[/.])*(?:policy_|action_?|actor_|pi_)?(?:std|sigma|stddev|std_dev)$/i;

/** A spread of actions that is all but gone: a continuous policy is certain when this is, and its entropy has no zero. */
function vanishing(view: RunView): Curve | null {
  const series = view.record.series.find(
    ({ metric, rawName, length }) => metric === 'other' && spreadOfActions.test(rawName) && length >= fewest,
  );
  const curve = series && toCurve(series);
  const values = curve ? finiteValues(curve) : [];
  return curve && values[0]! > 0 && Math.min(...values) < 1e-2 * values[0]! ? curve : null;
}

/** The policy always does the same: its entropy is gone, or the loss that weighs its choices is zero because each was certain. */
export function becameCertain(view: RunView): Certainty | null {
  const curve = vanishing(view) ?? view.curve('entropy') ?? view.curve('loss');
  const byLoss = curve?.series.metric === 'loss';
  if (!curve || curve.finite.length < (byLoss ? 8 : fewest)) return null;
  const values = finiteValues(curve).map(Math.abs);
  // So few points prove it only by an entropy of all but nothing.
  const gone = (byLoss ? 1e-3 : values.length < 8 ? 1e-2 : 0.1) * values[0]!;
  const at = values.findIndex((value) => value < gone);
  const few = !byLoss && values.length < 8;
  const late = median(values.slice(-(few ? 2 : Math.ceil(values.length / 3))));
  const latest = few ? values.length - 2 : values.length / (byLoss ? 5 : 2);
  if (values[0]! <= 0 || late > gone || at < 0 || at > latest) return null;
  const index = curve.finite[at]!;
  return {
    curve,
    index,
    step: curve.steps[index]!,
    early: at <= values.length / 10,
    wholly: String(values[0]).length > 6 && values.slice(at).every((value) => value === 0),
    fact: `${curve.name} fell from ${figure(values[0]!)} to ${figure(values[at]!)}`,
  };
}
