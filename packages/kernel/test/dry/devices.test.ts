// What a twin is given of tensors on a GPU, tried on a machine without one: tensors on the meta device stand in for them.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { python } from '../support/python.js';

it('carries tensors on a GPU as tensors on the CPU, and lets code that speaks of a GPU stay there', async () => {
  const fixture = join(import.meta.dirname, 'fixtures', 'devices.py');
  const env = { ...process.env, PYTHONPATH: join(import.meta.dirname, '..', '..') };
  const { stdout } = await promisify(execFile)(python, [fixture], { env });
  expect(JSON.parse(stdout)).toEqual({
    found: 4,
    valueless: true,
    devices: ['cpu'],
    shape: [2, 4],
    parameter: 'Parameter',
    gradient: true,
    shared: true,
    kernel: 'meta',
    stays: ['cpu', 'cpu', 'cpu'],
    module: 'cpu',
    available: true,
    error: 'mat1 and mat2 shapes cannot be multiplied (2x5 and 4x2)',
    doubts: {
      finish: expect.stringMatching(/no GPU/),
      shape: null,
      value: expect.stringMatching(/not carried/),
      device: expect.stringMatching(/no GPU/),
    },
  });
});
