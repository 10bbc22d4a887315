// Does a split's metric beat what one constant answer would get? The proof that "healthy" needs, and the first sign of most silent
// failures. Only what the run itself shows is used: its classes or words, its scores, its losses, what its hooks counted.
import { type Curve, finiteValues } from '../features/curve.js';
import { once } from '../features/once.js';
import type { RunView } from '../features/view.js';
import { figure } from '../record/figures.js';
import { byLoss } from './by-loss.js';
import { byAccuracy, byExplained } from './by-score.js';
import type { Split, StandingKind } from './judged.js';
import { scoreOf } from './score.js';

export interface Standing {
  readonly kind: StandingKind;
  readonly split: Split;
  readonly curve: Curve;
  /** Index into the curve of the point that shows it. */
  readonly index: number;
  readonly fact: string;
}

const standings = once((_view: RunView) => new Map<Split, Standing | null>());

/** Null where the split has neither a score nor a loss. */
export function standingOf(view: RunView, split: Split): Standing | null {
  const known = standings(view);
  const found = known.get(split);
  if (found !== undefined) return found;
  const answer = judge(view, split);
  known.set(split, answer);
  return answer;
}

/** Of held-out data: validation, or a test where there is no validation. */
export function heldOutStanding(view: RunView): Standing | null {
  const evaluated = standingOf(view, 'eval');
  return evaluated?.kind === 'unclear' || evaluated === null
    ? (standingOf(view, 'test') ?? evaluated)
    : evaluated;
}

function judge(view: RunView, split: Split): Standing | null {
  const score = scoreOf(view, split);
  const loss = view.curve('loss', split) ?? (split === 'train' ? view.curve('loss') : null);
  const losses = loss ? finiteValues(loss) : [];
  const standing = (kind: StandingKind, curve: Curve, fact: string): Standing => ({
    kind,
    split,
    curve,
    index: curve.finite.at(-1) ?? 0,
    fact,
  });
  const ranked = ranksAsChance(view, split);
  if (ranked)
    return standing(
      'constant',
      ranked,
      `${ranked.name} ${figure(finiteValues(ranked).at(-1)!)} in every evaluation: what guessing gives`,
    );
  if (score && score.values.length > 0) {
    const [kind, fact] =
      score.kind === 'explained' ? byExplained(score) : byAccuracy(view, split, score, losses);
    if (kind !== 'unclear' || losses.length < 3) return standing(kind, score.curve, fact);
  }
  if (!loss || losses.length === 0) return null;
  const [kind, fact] = byLoss(view, split, loss, losses);
  return standing(kind, loss, fact);
}

/** How far from a half the area under the curve comes by luck, with a hundred or more rows of the rarer class. */
const luck = 0.03;

/** The area under the ROC curve, which does not depend on how frequent each class is, is a half in every evaluation. */
function ranksAsChance(view: RunView, split: Split): Curve | null {
  const curve = view.curve('auc', split);
  const values = curve ? finiteValues(curve) : [];
  return values.length >= 4 && values.every((value) => Math.abs(value - 0.5) < luck) ? curve : null;
}
