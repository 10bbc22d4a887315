// The shape functions of the explainable boosting machine that matter most, ready to be drawn.
import type { Feature } from '@grus/training';
import type { Ebm } from './learned/index.js';

export interface Shape {
  readonly feature: string;
  readonly definition: string;
  /** Mean absolute contribution over bins and classes. */
  readonly weight: number;
  readonly classes: readonly string[];
  readonly cuts: readonly number[];
  /** By bin, the first for missing values, then by class. */
  readonly scores: readonly (readonly number[])[];
}

const shown = 9;

export function shapesOf(model: Ebm, features: readonly Feature[]): Shape[] {
  const { classes, features: names, cuts, shapes } = model.toJSON();
  return names
    .map((feature, index) => ({
      feature,
      definition:
        features.find(({ name }) => name === feature)?.definition ??
        `Strength of the strongest symptom of ${feature.replace('symptom_', '')}.`,
      weight: spreadOf(shapes[index]!),
      classes,
      cuts: cuts[index]!,
      scores: shapes[index]!,
    }))
    .sort((a, b) => b.weight - a.weight)
    .slice(0, shown);
}

function spreadOf(scores: readonly (readonly number[])[]): number {
  const flat = scores.flat().map(Math.abs);
  return flat.reduce((sum, value) => sum + value, 0) / Math.max(1, flat.length);
}
