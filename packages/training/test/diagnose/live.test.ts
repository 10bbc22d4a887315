// Trains for real, fails for real, and diagnoses what was just written: plain PyTorch and Hugging Face in this suite's own Python.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { diagnose } from '../../src/diagnose/diagnose.js';

const python = process.env['GRUS_PYTHON'] ?? join(import.meta.dirname, '../../../../.venv/bin/python');
const scripts = join(import.meta.dirname, '../runs');
const run = promisify(execFile);

const plain = {
  // Nothing is held out: no sign of failure, and no proof of health.
  healthy_regression: ['unknown', null],
  rate_too_high_nan: ['optimization', 'learning_rate_too_high'],
  log_of_zero: ['optimization', 'unstable_operation'],
  nan_in_batch: ['data_pipeline', 'nan_in_data'],
  label_out_of_range: ['data_pipeline', 'label_out_of_range'],
  shape_mismatch: ['model_software', 'shape_mismatch'],
} as const;
const trainer = {
  healthy_language_model: ['unknown', null],
  sequence_too_long: ['model_software', 'position_table'],
} as const;

describe.skipIf(!existsSync(python))('runs made just now', () => {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'grus-live-'));
    await Promise.all([
      run(python, [join(scripts, 'plain_torch.py'), join(folder, 'plain'), ...Object.keys(plain)]),
      run(python, [join(scripts, 'hugging_face.py'), join(folder, 'trainer'), ...Object.keys(trainer)]),
    ]);
  }, 240_000);
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const all = [
    ...Object.entries(plain).map(([name, label]) => [`plain/${name}`, label] as const),
    ...Object.entries(trainer).map(([name, label]) => [`trainer/${name}`, label] as const),
  ];
  it.each(all)('%s', async (name, [category, subcause]) => {
    const diagnosis = await diagnose(join(folder, name));
    expect({ category: diagnosis.category, subcause: diagnosis.subcause }).toEqual({ category, subcause });
  });
});
