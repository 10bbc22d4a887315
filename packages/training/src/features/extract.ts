// The one table of features, and the numeric vector that learned models train on.
import type { RunRecord } from '../record/run-record.js';
import { configurationFeatures } from './configuration.js';
import { dataFeatures } from './data.js';
import type { Feature } from './define.js';
import { dynamicsFeatures } from './dynamics.js';
import { memoryFeatures } from './memory.js';
import { systemFeatures } from './system.js';
import { textFeatures } from './text.js';
import type { FeatureVector } from './vector.js';
import { viewOf } from './view.js';

export type { FeatureVector } from './vector.js';

export const featureTable: readonly Feature[] = [
  ...dynamicsFeatures,
  ...memoryFeatures,
  ...dataFeatures,
  ...configurationFeatures,
  ...systemFeatures,
  ...textFeatures,
];

export function makeVector(
  entries: readonly (readonly [name: string, value: number | undefined])[],
): FeatureVector {
  const names = entries.map(([name]) => name);
  const values = Float64Array.from(entries, ([, value]) => value ?? Number.NaN);
  const positions = new Map(names.map((name, index) => [name, index]));
  return {
    names,
    values,
    get(name) {
      const position = positions.get(name);
      const value = position === undefined ? Number.NaN : values[position]!;
      return Number.isNaN(value) ? undefined : value;
    },
  };
}

export function extractFeatures(record: RunRecord): FeatureVector {
  const view = viewOf(record);
  return makeVector(featureTable.map((feature) => [feature.name, feature.compute(view)] as const));
}
