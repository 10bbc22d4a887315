// What a twin is given of tensors on a GPU, tried on a machine without one: tensors on the meta device stand in for them.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { python } from '../support/python.js';

it('carries tensors on a GPU as tensors on the CPU that know where they would be', async () => {
  const fixture = join(import.meta.dirname, 'fixtures', 'devices.py');
  const env = { ...process.env, PYTHONPATH: join(import.meta.dirname, '..', '..') };
  const { stdout } = await promisify(execFile)(python, [fixture], { env });
  expect(JSON.parse(stdout)).toEqual({
    found: 5,
    valueless: true,
    devices: ['cpu'],
    shape: [2, 4],
    parameter: 'Parameter',
    gradient: true,
    shared: true,
    stages: true,
    'new stage': {},
    kernel: 'meta',
    away: {
      made: 'cuda:0',
      moved: ['cuda:0', 'cuda:0'],
      alike: 'cuda:0',
      module: 'cuda:0',
      through: ['cuda:0', true, 0],
      gradient: 'cuda:0',
      'made inside': 'cuda:0',
      half: 'cuda:0',
      carried: ['cpu', 'meta'],
      card: [1, 'a card'],
      here: ['cpu', 'cpu', 2],
      number: 'cuda:0',
      'two numbers': 'cuda:0',
      available: true,
      strayed: null,
    },
    strays: {
      fine: null,
      mix: 'RuntimeError',
      layer: 'RuntimeError',
      numpy: 'TypeError',
      index: 'mixed-devices',
      memory: 'state',
      'out of range': 'other-failure',
      properties: 'state',
      'other card': 'AcceleratorError',
      loaded: 'loading',
    },
    coarse: true,
    'left on by the kernel': true,
    'out of reach': [false, false, false],
    counted: [true, 2, false],
    error: 'mat1 and mat2 shapes cannot be multiplied (2x5 and 4x2)',
    doubts: {
      finish: { code: 'gpu-placement' },
      shape: null,
      value: { code: 'gpu-values-missing' },
      device: { code: 'no-gpu' },
      precision: { code: 'no-gpu-precision' },
      'shape in any precision': null,
      strayed: { code: 'no-gpu-strayed', what: 'numpy is given a tensor on the GPU' },
    },
  });
});
