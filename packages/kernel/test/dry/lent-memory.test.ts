// What a twin with a GPU of its own is lent, tried on a machine without one: tensors on the CPU stand in for those on a GPU,
// and the blocks that they lie in are found by their addresses.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { python } from '../support/python.js';

it('lends each storage once, with views, ties, gradients and states, and knows what it cannot answer for', async () => {
  const fixture = join(import.meta.dirname, 'fixtures', 'lent_memory.py');
  const env = { ...process.env, PYTHONPATH: join(import.meta.dirname, '..', '..') };
  const { stdout } = await promisify(execFile)(python, [fixture], { env });
  expect(JSON.parse(stdout)).toEqual({
    storages: 8,
    needed: { 0: 460 },
    tied: true,
    parameter: 'Parameter',
    gradient: true,
    moments: true,
    'plain attribute': true,
    view: [[3, 3], [2, 6], 100],
    "kernel's own": 6,
    leaf: [false, true],
    'lost before': [],
    'sparse gradient': [false, true],
    parametrized: true,
    'lost after': [true],
    'no room': 'NoRoom',
    'no room within what may be used': 'NoRoom',
    'not lent': 'CannotCarry',
    doubts: {
      'beyond the card': null,
      'more than is free': { code: 'gpu-memory', need: 32, free: 22 },
      steps: { code: 'steps-left-behind' },
      devices: null,
      'of a library': { code: 'other-gpu-use' },
      'a key': null,
      assertion: 'CUDA error: device-side assert triggered Assertion `index < size` failed.',
    },
    captured: [null, { code: 'gpu-captured' }, { code: 'gpu-captured' }],
  });
});
