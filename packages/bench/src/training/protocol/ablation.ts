// What each family of evidence is worth: learners on one family alone, on all of them, on the detectors' findings, and on raw
// curves; and how much accuracy is lost when a family's columns are shuffled among the runs.

import type { DiagnosedCategory } from '@grus/training';
import { featureTable } from '@grus/training';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import type { ExaminedCase } from '../data/examined.js';
import { categoryOf } from '../data/label.js';
import { type LearnerName, predict } from '../learned/index.js';
import { mean } from '../measures/multiclass.js';
import { type CrossValidated, crossValidate } from './cross-validate.js';
import { type Columns, datasetOf } from './dataset.js';
import { isRight } from './prediction.js';
import { grids, seeds } from './tuning.js';

const byName = new Map(featureTable.map((feature) => [feature.name, feature]));
const isDetector = (name: string): boolean => !byName.has(name);
const group =
  (...wanted: readonly string[]) =>
  (name: string): boolean => {
    const feature = byName.get(name);
    return (
      feature !== undefined && wanted.some((entry) => feature.group === entry || feature.family === entry)
    );
  };

const ablations: readonly (readonly [name: string, columns: Columns])[] = [
  ['memory', group('memory')],
  ['perplexity', group('perplexity')],
  ['vocabulary', group('vocabulary')],
  ['memory + perplexity', group('memory', 'perplexity')],
  ['dynamics', group('dynamics')],
  ['text', group('text')],
  ["the study's 19 features", (name) => byName.get(name)?.study === true],
  ['all features', (name) => !isDetector(name)],
  ['detectors', isDetector],
  ['all features and detectors', 'all'],
  ['raw curves', 'raw'],
];

export interface Ablation {
  readonly columns: string;
  readonly count: number;
  readonly accuracy: Readonly<Record<string, number>>;
}

const ablated: readonly LearnerName[] = ['logistic', 'forest'];

export function ablate(
  cases: readonly ExaminedCase[],
  folds: readonly number[],
  progress?: (text: string) => void,
): Ablation[] {
  return ablations.map(([name, columns]) => {
    progress?.(`ablation: ${name}`);
    return {
      columns: name,
      count: datasetOf(cases, columns).features.length,
      accuracy: Object.fromEntries(
        ablated.map((learner) => {
          const { answers } = crossValidate(learner, cases, folds, { columns, fixed: grids[learner][0]! });
          return [learner, mean(answers.map(({ label }, index) => Number(right(cases[index]!, label))))!];
        }),
      ),
    };
  });
}

export interface Importance {
  readonly family: string;
  readonly columns: number;
  /** Mean loss of accuracy over the repeats. */
  readonly drop: number;
}

const repeats = 10;

/** Shuffles all columns of a family together, among the runs a model had not seen. */
export function importanceByFamily(
  cases: readonly ExaminedCase[],
  folds: readonly number[],
  { answers, models }: CrossValidated,
): Importance[] {
  const dataset = datasetOf(cases);
  const base = mean(answers.map(({ label }, index) => Number(right(cases[index]!, label))))!;
  const families = new Map<string, number[]>();
  dataset.features.forEach((name, index) => {
    const family = isDetector(name)
      ? `detectors: ${detectorFamily(name)}`
      : `features: ${byName.get(name)!.family}`;
    families.set(family, [...(families.get(family) ?? []), index]);
  });
  const random = xoroshiro128plus(seeds.permutation);
  return [...families]
    .map(([family, columns]) => {
      const accuracies = Array.from({ length: repeats }, () => {
        const order = shuffled(cases.length, (limit) => uniformInt(random, 0, limit - 1));
        return mean(
          cases.map((entry, index) => {
            const row = Float64Array.from(dataset.rows[index]!);
            for (const column of columns) row[column] = dataset.rows[order[index]!]![column]!;
            return Number(right(entry, predict(models[folds[index]!]!, row).label));
          }),
        )!;
      });
      return { family, columns: columns.length, drop: base - mean(accuracies)! };
    })
    .sort((a, b) => b.drop - a.drop);
}

function detectorFamily(name: string): string {
  return categoryOf(name.slice('symptom_'.length)) ?? 'by category';
}

function right(entry: ExaminedCase, label: string): boolean {
  return isRight(entry, label as DiagnosedCategory);
}

function shuffled(count: number, below: (limit: number) => number): number[] {
  const order = Array.from({ length: count }, (_, index) => index);
  for (let index = count - 1; index > 0; index--) {
    const other = below(index + 1);
    [order[index], order[other]] = [order[other]!, order[index]!];
  }
  return order;
}
