// The models that are kept for folders of other runs: each reads back and says what made it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadModel, type ShippedModel, shippedNames } from '../../../src/training/learned/shipped.js';

const models = join(import.meta.dirname, '../../../src/training/learned/models');

describe.each(shippedNames)('%s', (name) => {
  it('says what made it, and answers', async () => {
    const stored = JSON.parse(readFileSync(join(models, `${name}.json`), 'utf8')) as ShippedModel;
    expect(stored).toMatchObject({ version: 1, name, made: { command: 'npm run train' } });
    expect(stored.made.data_sha256).toMatch(/^[0-9a-f]{64}$/);
    expect(stored.made.runs).toBeGreaterThan(200);
    expect(stored.calibration.slope).toBeGreaterThan(0);
    const answer = (await loadModel(name)).predict(new Map());
    expect(Object.keys(answer)).toContain('healthy');
    expect(Math.max(...Object.values(answer))).toBeGreaterThan(0);
  });
});
