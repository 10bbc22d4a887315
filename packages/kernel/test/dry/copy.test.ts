// What a copy tells of ordinary and of fatal cells: the real exception and its line, a clean finish, or why neither. The
// kernel lives through all of it.
import { textOf } from '@grus/core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type DryRunResult, dryRun, type Kernel, strengths } from '../../src/index.js';
import { childrenOf, kernelWith, run } from '../agent/support.js';

type Copy = Extract<DryRunResult, { status: 'ok' }>;

let kernel: Kernel;
beforeAll(async () => {
  kernel = await kernelWith(
    'x = [1, 2, 3]\ndef outer():\n    return x[5]',
    'import asyncio, os, sys, threading, time\ncounter = iter(range(10))',
  );
});
afterAll(() => kernel.close());

async function copyOf(cells: string[], budgetMs = 10_000): Promise<Copy> {
  const result = await dryRun(kernel, cells, { budgetMs });
  if (result.status !== 'ok') throw new Error(textOf(result.reason));
  return result;
}

const raising: [cell: string, type: string, line: number, message: string | RegExp][] = [
  ['y = 1\nx[10]', 'IndexError', 2, 'list index out of range'],
  ['outer()', 'IndexError', 1, 'list index out of range'],
  ['def inner(n):\n    return x[n]\n\ninner(9)', 'IndexError', 2, 'list index out of range'],
  ['\n\nundefined_name', 'NameError', 3, "name 'undefined_name' is not defined"],
  ['if True print(1)', 'SyntaxError', 1, /invalid syntax|expected/],
  ['await asyncio.sleep(0.01)\n1 / 0', 'ZeroDivisionError', 2, 'division by zero'],
  ['asyncio.run(asyncio.sleep(0))', 'RuntimeError', 1, /running event loop/],
  ['open("no-such-file.csv")', 'FileNotFoundError', 1, /no-such-file.csv/],
  ['def f():\n    f()\nf()', 'RecursionError', 2, /recursion/],
  ['%%time\na = 1\nx["a"]', 'TypeError', 3, /list indices/],
  ['import subprocess\nsubprocess.run(["true"])\nx[7]', 'IndexError', 3, 'list index out of range'],
];

it.each(raising)('raises as the kernel would: %s', async (cell, type, line, message) => {
  const { cells, isolation } = await copyOf([cell]);
  expect(cells[0]).toMatchObject({ status: 'raised', type, line, doubt: null });
  expect((cells[0] as { message: string }).message).toMatch(message);
  expect(isolation?.strength).toBeDefined();
});

it.each([
  'x.append(4)\nassert len(x) == 4',
  'print("hello")\nx',
  'try:\n    x[10]\nexcept IndexError:\n    pass',
  'await asyncio.sleep(0)',
  'thread = threading.Thread(target=lambda: x.append(1))\nthread.start()\nthread.join()',
  'open("made.txt", "w").write("a")\nassert open("made.txt").read() == "a"',
  '!echo hello',
  'import tempfile\nwith tempfile.TemporaryDirectory() as folder:\n    open(folder + "/a", "w").close()',
])('finishes as the kernel would: %s', async (cell) => {
  const { cells } = await copyOf([cell]);
  expect(cells[0]).toMatchObject({ status: 'finished', doubt: null });
});

it.each([
  ['import ctypes\nctypes.string_at(0)', 'died', 'SIGSEGV'],
  ['os._exit(0)', 'died', null],
  ['os.abort()', 'died', 'SIGABRT'],
  ['while True:\n    pass', 'time', null],
  ['threading.Event().wait()', 'time', null],
])('a fatal cell is no verdict: %s', async (cell, ended, signal) => {
  const result = await copyOf([cell], 1_500);
  expect(result).toMatchObject({ ended, signal, cells: [] });
});

it.each([
  ['a loop', 'def spin():\n    while True:\n        sum(range(100))\nspin()', { function: 'spin' }],
  ['a wait', 'threading.Event().wait()', { file: expect.stringMatching(/threading\.py$/), function: 'wait' }],
])('says where it is when the time is up: %s', async (_name, cell, frame) => {
  const { ended, where } = await copyOf([cell], 1_500);
  expect(ended).toBe('time');
  expect(where[0]).toMatchObject({ line: expect.any(Number), ...frame });
});

it.each([
  ['sys.exit(3)', { code: 'ends-itself', error: 'SystemExit' }],
  ['raise KeyboardInterrupt', { code: 'ends-itself', error: 'KeyboardInterrupt' }],
  ['input("name? ")', { code: 'asks-for-input' }],
  ['exit()', { code: 'ends-kernel' }],
  ['breakpoint()', { code: 'asks-for-input' }],
])('a deliberate end is no verdict: %s', async (cell, reason) => {
  const { cells } = await copyOf([cell]);
  expect(cells[0]).toMatchObject({ status: 'no-verdict', reason });
});

it.each([
  ['import urllib.request\nurllib.request.urlopen("http://127.0.0.1:9/")', 'uses-network'],
  [
    'import socket\ntry:\n    socket.create_connection(("127.0.0.1", 9))\nexcept OSError:\n    pass\n1 / 0',
    'uses-network',
  ],
  ['block = bytearray(64 << 30)', 'less-memory'],
  ['open("/proc/1/mem", "rb").read()', 'error-of-isolation'],
])('what the copy may have caused is in doubt: %s', async (cell, code) => {
  const { cells } = await copyOf([cell]);
  expect(cells[0]).toMatchObject({ doubt: { code } });
});

it('keeps what the cell printed, and no more than is sensible', async () => {
  const short = await copyOf(['print("hello")\nx']);
  expect(short.cells[0]?.output).toBe('hello\n[1, 2, 3]\n');
  const long = await copyOf(['for i in range(200_000):\n    print("line", i)'], 120_000);
  expect(long.cells[0]!.output.length).toBeLessThanOrEqual(60_000);
  expect(long.cells[0]!.output_dropped).toBeGreaterThan(1_000_000);
});

it('runs several cells on the state that the ones before left', async () => {
  const { cells } = await copyOf(['y = 5', 'z = y + x[0]', 'z.missing', 'never = 1']);
  expect(cells.map((cell) => cell.status)).toEqual(['finished', 'finished', 'raised']);
});

it('gives way to a cell of the user', async () => {
  await expect.poll(() => childrenOf(kernel), { timeout: 30_000 }).toBe('');
  const dry = dryRun(kernel, ['time.sleep(30)'], { budgetMs: 30_000 });
  await expect.poll(() => childrenOf(kernel), { timeout: 30_000 }).not.toBe('');
  expect(await run(kernel, 'print(1 + 1)')).toBe('2\n');
  expect(await dry).toMatchObject({ status: 'ok', ended: 'user' });
});

it('refuses while a thread is at work, and says which', async () => {
  await run(
    kernel,
    'stop = []\ndef spin():\n    while not stop:\n        sum(range(1000))\nthreading.Thread(target=spin, name="spinner").start()',
  );
  const refused = await dryRun(kernel, ['x'], { budgetMs: 5_000 });
  await run(kernel, 'stop.append(1)\ntime.sleep(0.1)');
  expect(refused).toMatchObject({
    status: 'refused',
    reason: { code: 'thread-at-work', thread: 'spinner' },
  });
});

it('refuses a weaker isolation than is required', async () => {
  const refused = await dryRun(kernel, ['x'], {
    budgetMs: 5_000,
    isolation: 'audit',
    requireIsolation: 'namespaces',
  });
  expect(refused).toMatchObject({ status: 'refused' });
});

it.each(strengths)('does not copy the history of all sessions under %s', async (isolation) => {
  const holdsIt = `paths = [f"/proc/self/fd/{number}" for number in os.listdir("/proc/self/fd")]
links = [os.readlink(path) for path in paths if os.path.lexists(path)]
print(os.path.realpath(get_ipython().history_manager.hist_file) in links)`;
  const inKernel = await run(kernel, holdsIt);
  const result = await dryRun(kernel, [holdsIt], { budgetMs: 60_000, isolation });
  if (result.status === 'ok') expect(result.cells[0]).toMatchObject({ status: 'finished', output: inKernel });
  else expect(result.reason.code).toBe('no-isolation');
});

it('is made without values only of a kernel that uses a GPU', async () => {
  const refused = await dryRun(kernel, ['x[10]'], { budgetMs: 5_000, withoutValues: true });
  expect(refused).toMatchObject({ status: 'refused', reason: { code: 'no-gpu' } });
});

it('leaves the kernel as it was', async () => {
  expect(await run(kernel, 'print(x, next(counter), "made.txt" in os.listdir("."), "y" in globals())')).toBe(
    '[1, 2, 3] 0 False False\n',
  );
});
