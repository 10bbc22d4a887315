// Fits the trees of the second look (packages/training/src/triage) on drawn runs: one forest for each category, over the course of the curves.
import {
  type CourseCategory,
  type CourseModel,
  courseVector,
  type Examination,
  examine,
  mayLookAgain,
  readRun,
  type StoredTree,
} from '@grus/training';
import type { TrainingCase } from '../data/case.js';
import { loadCases } from '../data/load.js';
import { isRight } from '../protocol/prediction.js';
import { boosting, type StoredBoosting } from './boosting.js';
import { isLeaf, type TreeNode } from './tree.js';

interface DrawnRun {
  readonly entry: TrainingCase;
  readonly examination: Examination;
}

/** The model that the runs of some folders give, each as the recipes wrote it. */
export async function trainCourse(folders: readonly string[]): Promise<CourseModel> {
  const runs: DrawnRun[] = [];
  for (const entry of folders.flatMap((folder) => loadCases(folder)))
    runs.push({ entry, examination: examine(await readRun(entry.path)) });
  return fitCourse(runs);
}

const options = { rounds: 100, learningRate: 0.08, maxDepth: 4, minLeaf: 12, ridge: 2, maxBins: 48 };

export function fitCourse(runs: readonly DrawnRun[]): CourseModel {
  const looked = runs.filter(({ examination }) => mayLookAgain(examination));
  const vectors = looked.map(({ examination }) => courseVector(examination.view));
  const features = vectors[0]!.names;
  const fit = (category: CourseCategory) => {
    const labels = looked.map(({ entry }) => Number(isRight(entry, category)));
    const rows = vectors.map(({ values }) => values);
    const model = boosting.fit({ features, classes: ['no', 'yes'], rows, labels }, options);
    const { base, rounds, learningRate } = model.toJSON() as StoredBoosting;
    return {
      base: short(base[1]! - base[0]!),
      // Of two classes one tree is the other's opposite.
      trees: rounds.map(([, yes]) => packed(yes!, learningRate)),
    };
  };
  return {
    features,
    categories: {
      data_pipeline: fit('data_pipeline'),
      optimization: fit('optimization'),
      model_software: fit('model_software'),
    },
  };
}

function packed(yes: TreeNode, rate: number): StoredTree {
  if (isLeaf(yes)) return short(2 * rate * yes.value[0]!);
  return [
    yes.feature,
    short(yes.threshold),
    yes.missing === 'left' ? 1 : 0,
    packed(yes.left, rate),
    packed(yes.right, rate),
  ];
}

const short = (value: number): number => Number(value.toPrecision(4));
