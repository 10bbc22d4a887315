// Trains for real with every framework the hooks serve, and diagnoses what the hooks alone recorded.
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { diagnose } from '../../src/diagnose/diagnose.js';
import { readRun } from '../../src/readers/index.js';

const root = join(import.meta.dirname, '../../../..');
const python = process.env['GRUS_PYTHON'] ?? join(root, '.venv/bin/python');
const hooks = join(root, 'hooks');
const run = promisify(execFile);

const expected = {
  // Nothing was measured on held-out data: that they went well is not proven.
  torch_healthy: ['unknown', null],
  torch_rate_too_high: ['optimization', 'learning_rate_too_high'],
  torch_nan_in_data: ['data_pipeline', 'nan_in_data'],
  torch_raises: ['model_software', 'shape_mismatch'],
  torch_terminated: ['memory_hardware', 'terminated'],
  hugging_face_healthy: ['unknown', null],
  hugging_face_bad_token: ['data_pipeline', 'token_out_of_vocabulary'],
  lightning_healthy: ['healthy', null],
  lightning_too_few_classes: ['data_pipeline', 'label_out_of_range'],
  keras_healthy: ['unknown', null],
  keras_rate_too_high: ['optimization', 'learning_rate_too_high'],
} as const;
/** Failures without any message: what the hooks record tells them apart. */
const silent = {
  silent_healthy: ['healthy', null],
  silent_shuffled: ['data_pipeline', 'chance_level'],
  silent_one_label: ['data_pipeline', 'degenerate_labels'],
  silent_dead: ['optimization', 'dead_units'],
  silent_alike: ['optimization', 'plateau'],
  silent_frozen: ['model_software', 'frozen_parameters'],
  silent_foreign: ['model_software', 'foreign_parameters'],
} as const;
const cases = [...Object.keys(expected), ...Object.keys(silent), 'torch_killed'];

describe.skipIf(!existsSync(python))('runs recorded by the hooks', () => {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'grus-hooks-'));
    await run(python, [join(hooks, 'tests', 'runs.py'), folder, ...cases]);
  }, 600_000);
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it.each(Object.entries({ ...expected, ...silent }))('%s', async (name, [category, subcause]) => {
    const diagnosis = await diagnose(join(folder, name));
    expect({ category: diagnosis.category, subcause: diagnosis.subcause }).toEqual({ category, subcause });
  });

  it.each(['torch_healthy', 'hugging_face_healthy', 'lightning_healthy'])(
    '%s holds every curve',
    async (name) => {
      const record = await readRun(join(folder, name));
      const metrics = new Set(record.series.map(({ metric }) => metric));
      for (const metric of [
        'loss',
        'grad_norm',
        'update_ratio',
        'learning_rate',
        'step_time',
        'throughput',
        'host_memory',
        'batch_size',
        'label_max',
        'majority_share',
        'constant_loss',
        'gradient_reach',
        'param_norm',
      ])
        expect(metrics, metric).toContain(metric);
      expect(record.versions.map((version) => version.name)).toEqual(
        expect.arrayContaining(['python', 'torch']),
      );
      expect(record.hardware.hostMemory).toBeGreaterThan(0);
      expect(record.exits).toMatchObject([{ reason: 'completed' }]);
    },
  );

  it('a killed run leaves its last steps', async () => {
    const record = await readRun(join(folder, 'torch_killed'));
    expect(record.lastStep).toBeGreaterThan(10);
    expect(record.exits).toMatchObject([{ reason: 'running' }]);
    const diagnosis = await diagnose(join(folder, 'torch_killed'));
    expect(diagnosis).toMatchObject({ category: 'unknown', abstained: true });
  });
});

describe.skipIf(!existsSync(python))('the package', () => {
  it('needs nothing but Python itself to be imported', async () => {
    const code =
      'import sys; import grus_hooks; print(sorted(m for m in ("torch", "keras", "lightning", "transformers") if m in sys.modules))';
    const { stdout } = await run(python, ['-c', code], {
      env: { ...process.env, PYTHONPATH: join(hooks, 'src') },
    });
    expect(stdout.trim()).toBe('[]');
    expect(readFileSync(join(hooks, 'pyproject.toml'), 'utf8')).toContain('dependencies = []');
  });
});
