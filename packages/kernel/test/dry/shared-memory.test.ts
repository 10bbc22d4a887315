// System V memory of a copy is its own: libraries that need some get it, and no number or key leads to anybody else's.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { dryRun, type Kernel } from '../../src/index.js';
import { kernelWith, run } from '../agent/support.js';

let kernel: Kernel;
beforeAll(async () => {
  kernel = await kernelWith(`
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
libc.shmat.restype = ctypes.c_void_p
FAILED, MAKE, KEY = ctypes.c_void_p(-1).value, 0o1600, 0x67000000 + os.getpid()
number = libc.shmget(KEY, 4096, MAKE)
address = libc.shmat(number, None, 0)
ctypes.memmove(address, b"kernel", 6)
`);
});
afterAll(async () => {
  await run(kernel, 'libc.shmctl(number, 0, None)');
  await kernel.close();
});

const own = 'own = libc.shmget(0, 4096, MAKE)\nat = libc.shmat(own, None, 0)\n';
it.each([
  [
    'makes, attaches, writes and removes its own',
    `${own}ctypes.memmove(at, b"copy", 4)\nassert libc.shmctl(own, 0, None) == 0`,
  ],
  ['attaches none of the kernel by its number', 'assert libc.shmat(number, None, 0) == FAILED'],
  ['finds none of the kernel by its key', 'assert libc.shmget(KEY, 0, 0) == -1'],
  ['removes none of the kernel', 'assert libc.shmctl(number, 0, None) == -1'],
  ['changes none that was attached before', 'ctypes.memmove(address, b"copied", 6)'],
])('%s', async (_name, cell) => {
  const result = await dryRun(kernel, [cell], { budgetMs: 20_000 });
  expect(result).toMatchObject({ isolation: { strength: 'namespaces' }, cells: [{ status: 'finished' }] });
  expect(await run(kernel, 'print(ctypes.string_at(address, 6), libc.shmget(KEY, 0, 0) == number)')).toBe(
    "b'kernel' True\n",
  );
});

it('is refused where the copy has no namespace of its own', async () => {
  const cell = 'assert libc.shmget(0, 4096, MAKE) == -1';
  const result = await dryRun(kernel, [cell], { budgetMs: 20_000, isolation: 'audit' });
  expect(result).toMatchObject({ isolation: { strength: 'audit' }, cells: [{ status: 'finished' }] });
});
