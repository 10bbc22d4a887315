// Our statistics against those of SciPy and scikit-learn, computed by the real libraries in the same test run.
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  bootstrapInterval,
  cohenKappa,
  confusionOf,
  mcnemarExact,
  measuresOf,
  quantile,
  wilsonInterval,
} from '../../src/statistics/index.js';
import { normalQuantile } from '../../src/statistics/normal.js';

const python =
  process.env['GRUS_PYTHON'] ?? fileURLToPath(new URL('../../../../.venv/bin/python', import.meta.url));

const actual = [1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 1];
const predicted = [1, 1, 0, 1, 0, 1, 0, 0, 1, 0, 0, 0, 0, 1];
const raterA = ['a', 'b', 'b', 'c', 'a', 'a', 'c', 'b', 'c', 'a'];
const raterB = ['a', 'b', 'c', 'c', 'a', 'b', 'c', 'b', 'a', 'a'];
const wilsonCases = [
  [0, 7],
  [7, 7],
  [3, 10],
  [107, 134],
] as const;
const discordant = [
  [0, 0],
  [1, 0],
  [5, 1],
  [12, 30],
  [250, 300],
] as const;

interface Reference {
  measures: number[];
  kappa: number;
  wilson: [number, number][];
  mcnemar: number[];
  bootstrap: [number, number];
  quantile: number;
  z: number;
}

const script = `
import json, sys
import numpy as np
from scipy import stats
from sklearn import metrics
given = json.load(sys.stdin)
a, p = given["actual"], given["predicted"]
sample = (np.array(a) == np.array(p)).astype(float)
boot = stats.bootstrap((sample,), np.mean, method="percentile", n_resamples=20000, rng=np.random.default_rng(7)).confidence_interval
print(json.dumps({
  "measures": [metrics.accuracy_score(a, p), metrics.precision_score(a, p), metrics.recall_score(a, p), metrics.f1_score(a, p)],
  "kappa": metrics.cohen_kappa_score(given["raterA"], given["raterB"]),
  "wilson": [list(stats.binomtest(k, n).proportion_ci(method="wilson")) for k, n in given["wilson"]],
  "mcnemar": [stats.binomtest(min(b, c), b + c, 0.5).pvalue if b + c else 1.0 for b, c in given["discordant"]],
  "bootstrap": [boot.low, boot.high],
  "quantile": float(np.quantile([3, 1, 4, 1, 5, 9], 0.37)),
  "z": stats.norm.ppf(0.995),
}))
`;

let reference: Reference;
beforeAll(() => {
  const input = JSON.stringify({ actual, predicted, raterA, raterB, wilson: wilsonCases, discordant });
  reference = JSON.parse(execFileSync(python, ['-c', script], { input, encoding: 'utf8' })) as Reference;
});

const pairs = actual.map((value, index) => ({ actual: value === 1, predicted: predicted[index] === 1 }));

describe('statistics', () => {
  it('measures detection as scikit-learn does', () => {
    const { accuracy, precision, recall, f1, false_alarms } = measuresOf(confusionOf(pairs));
    [accuracy, precision, recall, f1].forEach((value, index) => {
      expect(value).toBeCloseTo(reference.measures[index]!, 12);
    });
    expect(false_alarms).toBe(1);
  });

  it('says null where a measure is undefined', () => {
    const silent = measuresOf(confusionOf([{ actual: false, predicted: false }]));
    expect(silent).toMatchObject({ accuracy: 1, precision: null, recall: null, f1: null });
  });

  it('agrees with scikit-learn on kappa', () => {
    expect(cohenKappa(raterA.map((a, index) => [a, raterB[index]!] as const))).toBeCloseTo(
      reference.kappa,
      12,
    );
    expect(cohenKappa([['a', 'a']])).toBeNull();
  });

  it("agrees with SciPy on Wilson's interval", () => {
    wilsonCases.forEach(([k, n], index) => {
      const interval = wilsonInterval(k, n)!;
      expect(interval[0]).toBeCloseTo(reference.wilson[index]![0], 10);
      expect(interval[1]).toBeCloseTo(reference.wilson[index]![1], 10);
    });
    expect(wilsonInterval(0, 0)).toBeNull();
    expect(normalQuantile(0.995)).toBeCloseTo(reference.z, 12);
  });

  it("agrees with SciPy on McNemar's exact test", () => {
    discordant.forEach(([b, c], index) => {
      const rows = [
        ...Array.from({ length: b }, () => ({ first: true, second: false })),
        ...Array.from({ length: c }, () => ({ first: false, second: true })),
        { first: true, second: true },
      ];
      const test = mcnemarExact(rows);
      expect(test).toMatchObject({ onlyFirst: b, onlySecond: c });
      expect(test.p).toBeCloseTo(reference.mcnemar[index]!, 9);
    });
  });

  it("bootstraps reproducibly and near SciPy's interval", () => {
    const units = pairs.map((pair) => (pair.actual === pair.predicted ? 1 : 0));
    const mean = (sample: readonly number[]) => sample.reduce((sum, value) => sum + value, 0) / sample.length;
    const interval = bootstrapInterval(units, mean, { resamples: 20000, seed: 3 })!;
    expect(interval[0]).toBeCloseTo(reference.bootstrap[0], 1);
    expect(interval[1]).toBeCloseTo(reference.bootstrap[1], 1);
    expect(bootstrapInterval(units, mean, { seed: 5 })).toEqual(bootstrapInterval(units, mean, { seed: 5 }));
  });

  it('interpolates quantiles as NumPy does', () => {
    expect(quantile([3, 1, 4, 1, 5, 9], 0.37)).toBeCloseTo(reference.quantile, 12);
    expect(quantile([], 0.5)).toBeNull();
  });
});
