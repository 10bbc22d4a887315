// Questions to the libraries in a kernel that uses a GPU, tried on a machine without one: marked tensors on the CPU stand in
// for those on a GPU.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { python } from '../support/python.js';

it('answers as the library would on the GPU, and not where values or the GPU itself decide', async () => {
  const fixture = join(import.meta.dirname, 'fixtures', 'gpu_questions.py');
  const env = { ...process.env, PYTHONPATH: join(import.meta.dirname, '..', '..') };
  const { stdout } = await promisify(execFile)(python, [fixture], { env });
  const result = { kind: 'tensor', shape: [5, 3], dtype: 'float32', grad: true };
  const onTwoDevices = {
    status: 'raised',
    type: 'RuntimeError',
    message: 'Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cpu!',
  };
  expect(JSON.parse(stdout)).toEqual({
    fine: { status: 'value', value: { ...result, device: 'cuda:0' } },
    'input on the CPU': onTwoDevices,
    'input that may be anywhere': { status: 'value', value: result },
    'other width': {
      status: 'raised',
      type: 'RuntimeError',
      message: 'mat1 and mat2 shapes cannot be multiplied (5x6 and 4x3)',
    },
    'attribute that was left behind': onTwoDevices,
    'index on the CPU': onTwoDevices,
    'other precision': { status: 'raised', type: 'RuntimeError', message: expect.stringContaining('dtype') },
    'fine, many levels down': { status: 'value', value: { ...result, shape: [5, 4], device: 'cuda:0' } },
    'input on the CPU, many levels down': onTwoDevices,
    'layer that was moved': { status: 'value', value: { ...result, shape: [5, 4], device: 'cuda:0' } },
    'layer that was moved away from its input': onTwoDevices,
    batches: {
      status: 'value',
      value: expect.objectContaining({
        count: 2,
        first: expect.objectContaining({
          items: [expect.objectContaining({ device: 'cpu' }), expect.objectContaining({ device: 'cpu' })],
        }),
      }),
    },
    'to numpy': { status: 'raised', type: 'TypeError', message: expect.stringContaining('cuda:0') },
    joined: onTwoDevices,
    'generator of the CPU': {
      status: 'raised',
      type: 'RuntimeError',
      message: "Expected a 'cuda' device type for generator but found 'cpu'",
    },
    'generator of its own device': {
      status: 'value',
      value: { kind: 'tensor', shape: [3], dtype: 'float32', grad: false, device: 'cpu' },
    },
    'no such card': {
      status: 'raised',
      type: 'AcceleratorError',
      message: 'CUDA error: invalid device ordinal',
    },
    'stored rows': { status: 'value', value: { kind: 'none' } },
    'too many rows stored': {
      status: 'raised',
      type: 'RuntimeError',
      message: expect.stringContaining('must match the existing size'),
    },
    'values decide': { status: 'unknown', reason: { code: 'not-with-real-data', error: '_LinAlgError' } },
    "kernel's memory": [],
  });
});
