// The whole benchmark on a few recorded runs: with the models that come with Grus, and cross-validated on scenarios.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { renderTraining } from '../../src/report/training.js';
import { renderTrainingHtml } from '../../src/report/training-html.js';
import { runTraining } from '../../src/training/run.js';

const root = join(import.meta.dirname, '../../../..');
const fixtures = join(root, 'packages/training/test/fixtures/runs');
const scenarios = join(root, 'scenarios');

describe('a folder of runs with labels', () => {
  it('is judged by every method with the models that come with Grus', async () => {
    const report = await runTraining({
      data: fixtures,
      only: 'plain_torch-healthy',
      quick: true,
      resamples: 100,
    });
    expect(Object.keys(report.methods)).toEqual([
      'rules',
      'tree',
      'decision-list',
      'logistic',
      'cart',
      'forest',
      'boosting',
      'ebm',
      'hybrid',
    ]);
    expect(report.methods['hybrid']).toMatchObject({ false_alarms: 0 });
    expect(report.predictions).toHaveLength(report.runs * 9);
    expect(renderTraining(report)).toContain('Accuracy on');
  });
});

describe.skipIf(!existsSync(scenarios))('scenarios', () => {
  it('are cross-validated by scripts, watched, and shown on one page', async () => {
    const report = await runTraining({
      data: scenarios,
      only: 'cuda-oo',
      methods: ['tree', 'cart'],
      quick: true,
      resamples: 100,
    });
    expect(report.folds).toBeGreaterThan(1);
    expect(report.methods['tree']!.accuracy).toBeGreaterThan(0.7);
    expect(report.comparisons).toHaveLength(1);
    const page = renderTrainingHtml(report);
    expect(page).toContain('<svg');
    expect(page).not.toMatch(/<script[^>]+src=|<link[^>]+href=|https?:\/\/(?!www\.w3\.org)/);
  }, 60_000);
});
