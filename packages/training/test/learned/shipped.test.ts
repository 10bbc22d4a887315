// The models that come with Grus: each reads back, says what made it, and answers about a run.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { categories } from '../../src/causes/define.js';
import { diagnose } from '../../src/diagnose/diagnose.js';
import { learnedMethod } from '../../src/learned/method.js';
import { loadModel, type ShippedModel, shippedNames } from '../../src/learned/shipped.js';

const runs = join(import.meta.dirname, '../fixtures/runs');
const models = join(import.meta.dirname, '../../src/learned/models');

describe.each(shippedNames)('%s', (name) => {
  it('says what made it', () => {
    const stored = JSON.parse(readFileSync(join(models, `${name}.json`), 'utf8')) as ShippedModel;
    expect(stored).toMatchObject({ version: 1, name, made: { command: 'npm run train' } });
    expect(stored.made.data_sha256).toMatch(/^[0-9a-f]{64}$/);
    expect(stored.made.runs).toBeGreaterThan(200);
    expect(stored.calibration.slope).toBeGreaterThan(0);
  });

  it('judges a run by itself', async () => {
    const method = learnedMethod(await loadModel(name));
    const diagnosis = await diagnose(join(runs, 'plain_torch-healthy_momentum'), { method });
    expect(diagnosis.rungs.at(-1)?.rung).toBe(name);
    expect(['healthy', ...categories]).toContain(diagnosis.category);
    expect(diagnosis.confidence).toBeGreaterThan(0.2);
    expect(diagnosis.confidence).toBeLessThanOrEqual(1);
  });
});
