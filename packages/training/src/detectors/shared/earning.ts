// A policy that never earned more than it did at its beginning, told apart from one that began at its best and from players of equal strength.
import { type Curve, finiteValues, movementOf, startsAtBeginning } from '../../features/curve.js';
import { mean, standardError } from '../../features/robust.js';
import type { RunView } from '../../features/view.js';
import { figure } from '../../record/figures.js';
import { hasStages } from './divergence.js';

interface Unlearned {
  readonly curve: Curve;
  readonly fact: string;
}

/** Fewer rewards do not tell learning from luck. */
const fewest = 60;

/** So few that are the same to the last digit are no luck, unless they are a round number: all that can be earned is often one. */
const fewAlike = 8;

/** No tenth of the run earned more, beyond its noise, than the first rewards; or nothing was ever earned. */
export function neverEarnedMore(view: RunView): Unlearned | null {
  const curve = view.curve('reward');
  const values = curve ? finiteValues(curve) : [];
  if (!curve || hasStages(view)) return null;
  const [level] = values;
  if (values.length >= fewAlike && !Number.isInteger(level) && values.every((value) => value === level))
    return { curve, fact: `${curve.name} is exactly ${figure(level!)} at each of ${values.length} points` };
  if (values.length < fewest || !startsAtBeginning(curve)) return null;
  // What is earned is often told in several ways; one that rises says that it is earned.
  if (view.curves('reward').some(rises)) return null;
  if (values.every((value) => value === 0))
    return { curve, fact: `${curve.name} is exactly 0 at each of ${values.length} points` };
  const edge = Math.max(10, Math.floor(values.length / 20));
  const first = values.slice(0, edge);
  const [began, wavers] = [mean(first), standardError(first)];
  // Where one side wins what the other loses, nothing is what both earn.
  if (Math.abs(began) < standardError(values) * Math.sqrt(values.length) * 0.5) return null;
  // Whoever often earns the most that was ever earned may have nothing left to learn.
  const most = Math.max(...values);
  const late = values.slice(Math.floor(values.length / 2));
  if (late.filter((value) => value === most).length > 0.1 * late.length) return null;
  const size = Math.floor((values.length - edge) / 10);
  for (let at = edge; at + size <= values.length; at += size) {
    const tenth = values.slice(at, at + size);
    if (mean(tenth) > began + Math.hypot(wavers, standardError(tenth))) return null;
  }
  const end = mean(values.slice(-2 * size));
  return {
    curve,
    fact: `${curve.name} was ${figure(began)} at first and is ${figure(end)} at the end; no tenth of the run earned more`,
  };
}

function rises(curve: Curve): boolean {
  const movement = movementOf(curve);
  return movement !== null && movement.count >= 8 && movement.end - movement.start > 2 * movement.noise;
}
