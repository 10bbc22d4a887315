// The second look: where the rules are silent about a run that trained to its end, boosted trees over the course of its curves say whether it
// failed by its data or by its optimization. They were fitted on runs that were trained with one fault and without it (`npm run train -- course`).
import type { Subcause } from '../causes/table.js';
import type { Examination } from '../detectors/examination.js';
import { gradientOfBias, pulledInVain } from '../detectors/shared/bias-alone.js';
import { citePoint } from '../detectors/shared/cite.js';
import { evaluationRepeats, mayTune, weightsStandStill } from '../detectors/shared/learning.js';
import { trainingStandsStill } from '../detectors/shared/no-skill.js';
import { nonFiniteOf } from '../detectors/shared/nonfinite.js';
import { peakLearningRate } from '../features/configuration.js';
import { finiteValues } from '../features/curve.js';
import type { FeatureVector } from '../features/extract.js';
import type { RunView } from '../features/view.js';
import { scoreOf } from '../health/score.js';
import { heldOutStanding } from '../health/standing.js';
import { figure } from '../record/figures.js';
import { round } from '../rules/confidence.js';
import type { Judgement } from '../rules/diagnosis.js';
import { courseVector } from './course.js';
import { probabilityOf, type StoredTrees } from './trees.js';
import stored from './trees.json' with { type: 'json' };

export type SeenCategory = 'data_pipeline' | 'optimization';

export interface CourseModel {
  readonly features: readonly string[];
  readonly categories: Readonly<Record<CourseCategory, StoredTrees>>;
}

/** What the trees tell apart. Of code that trains the wrong weights they are not asked: it only says that they may be mistaken. */
const courseCategories = ['data_pipeline', 'optimization', 'model_software'] as const;

export type CourseCategory = (typeof courseCategories)[number];

/** How sure the trees must be: of a run whose weights moved, and of any other. */
const sure = { moved: 0.75, other: 0.92 };

/** Where code that trains the wrong weights is as probable, its curves are too much alike. */
const likelyCode = 0.3;

/** So many points are a course. */
const course = 3;

/** Only what trains, was recorded as it trained, and came to its end is seen so: not policies, weights that were trained before, or what broke. */
export function mayLookAgain({ view }: Examination): boolean {
  const { kind } = view.ending;
  return (
    (kind === 'completed' || kind === 'unknown') &&
    view.task.loss !== 'reinforcement' &&
    (view.curve('loss')?.finite.length ?? 0) >= course &&
    view.curve('reward') === null &&
    !mayTune(view) &&
    nonFiniteOf(view) === null &&
    heldOutStanding(view)?.kind !== 'beats'
  );
}

/** Something more than a bias moves: without a gradient, or where it is that of a bias, weights that nothing moves leave the same curves. */
function showsMovement(view: RunView): boolean {
  const still = [gradientOfBias, trainingStandsStill, weightsStandStill, evaluationRepeats, pulledInVain];
  return view.curve('grad_norm') !== null && !still.some((holds) => holds(view));
}

/** No weights that were trained before are given such a rate. */
const fromScratch = 1e-3;

/** Something tells how bad the losses are: a score, the number of outcomes, or a rate for weights that know nothing; and most of the run was logged. */
function hasMeasure(view: RunView): boolean {
  const { steps, finite } = view.curve('loss')!;
  const scored = scoreOf(view, 'eval') ?? scoreOf(view, 'train');
  const known =
    scored !== null || view.task.outcomes !== null || (peakLearningRate(view) ?? 0) >= fromScratch;
  return known && steps[finite[0]!]! <= Math.max(1, steps[finite.at(-1)!]! / 3);
}

/** What may have been gained, as logarithms, where nothing was: less with each evaluation; answers far worse than the mean of the targets; a score of nearly all. */
const little = { held: -0.3, steadily: -0.1, train: -0.1, explained: -1, right: 0.9 };

/** What is measured is about as bad in the end as at the beginning, or bad beyond doubt: whatever else the curves do, nobody calls that learning. */
function gainedLittle(shape: FeatureVector): boolean {
  if ((shape.get('held_right_end') ?? 0) >= little.right) return false;
  if ((shape.get('held_explained_level') ?? 0) < little.explained) return true;
  const held = shape.get('held_fall');
  if (held === undefined) return (shape.get('train_fall') ?? 0) > little.train;
  return held > ((shape.get('held_trend') ?? 0) < -0.7 ? little.steadily : little.held);
}

/** A score as good as this is no failure that curves alone could show. */
const good = { right: 0.6, explained: 0.5 };

function scoresWell(shape: FeatureVector): boolean {
  return (
    (shape.get('held_right_end') ?? 0) >= good.right ||
    (shape.get('held_explained_end') ?? 0) >= good.explained
  );
}

/** How probable each category is by the course of the curves. */
export function seenIn(course: FeatureVector, model: CourseModel): Readonly<Record<CourseCategory, number>> {
  const row = model.features.map((name) => course.get(name) ?? Number.NaN);
  const [data, optimization, code] = courseCategories.map((category) =>
    probabilityOf(model.categories[category], row),
  );
  return { data_pipeline: data!, optimization: optimization!, model_software: code! };
}

/** What the trees are sure enough of. That labels mean nothing shows only where weights moved. */
function surest(
  seen: Readonly<Record<CourseCategory, number>>,
  shape: FeatureVector,
  moved: boolean,
): SeenCategory | null {
  const likelier = seen.data_pipeline > seen.optimization ? 'data_pipeline' : 'optimization';
  if (!gainedLittle(shape)) return null;
  if (moved && seen[likelier] >= sure.moved) return likelier;
  if (scoresWell(shape) || seen.model_software >= likelyCode || seen[likelier] < sure.other) return null;
  return moved || likelier === 'optimization' ? likelier : null;
}

/** A cause where the rules abstained, or null. */
export function secondLook(examination: Examination, tree: Judgement): Judgement | null {
  const { view, symptoms } = examination;
  if (!mayLookAgain(examination) || !hasMeasure(view)) return null;
  const shape = courseVector(view);
  const seen = seenIn(shape, stored as unknown as CourseModel);
  const category = surest(seen, shape, showsMovement(view));
  if (!category) return null;
  const subcause =
    symptoms.find((symptom) => symptom.role === 'root' && symptom.category === category)?.subcause ??
    causeBy(shape, category);
  const confidence = round(seen[category]);
  const curve = view.curve('loss')!;
  const values = finiteValues(curve);
  return {
    ...tree,
    outcome: 'degraded',
    category,
    subcause,
    confidence,
    onset: curve.steps[curve.finite[0]!]!,
    evidence: [
      citePoint(
        curve,
        curve.finite.at(-1)!,
        `${curve.name} went from ${figure(values[0]!)} to ${figure(values.at(-1)!)}, and the curves look like those of runs that failed in this way`,
      ),
      ...tree.evidence,
    ],
    hypotheses: [
      { category, subcause, confidence },
      ...tree.hypotheses.filter((entry) => entry.subcause !== subcause),
    ],
    abstention: null,
  };
}

/** The name of what the curves show, where no rule has a hypothesis. */
function causeBy(course: FeatureVector, category: SeenCategory): Subcause {
  if (category === 'data_pipeline') return 'chance_level';
  if ((course.get('gap') ?? 0) > Math.LN2) return 'train_eval_gap';
  return (course.get('train_peak') ?? 0) > 1 ? 'learning_rate_too_high' : 'plateau';
}
