// What runs between two cells: the agent must miss nothing that could change the state without a message to the kernel.
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Kernel } from '../../src/index.js';
import { ask, kernelWith, run } from './support.js';

let kernel: Kernel;
beforeAll(async () => {
  kernel = await kernelWith('import asyncio, signal, socket, threading\nloop = asyncio.get_running_loop()');
});
afterAll(() => kernel?.close());

const background = async () => (await ask(kernel, { background: true })).background;

it('is nothing in a kernel that only waits, and is told only when asked', async () => {
  expect(await background()).toEqual([]);
  expect((await ask(kernel, {})).background).toBeUndefined();
});

const cases = [
  ['a thread', 'over = threading.Event()\nthreading.Thread(target=over.wait).start()', 'over.set()'],
  ['a task', 'task = asyncio.ensure_future(asyncio.Event().wait())', 'task.cancel()'],
  ['a timer', 'timer = loop.call_later(3600, print)', 'timer.cancel()'],
  [
    'a handler',
    'pair = socket.socketpair()\nloop.add_reader(pair[0], print)',
    'loop.remove_reader(pair[0])\nfor end in pair: end.close()',
  ],
  [
    'an alarm',
    'was = signal.signal(signal.SIGALRM, print)\nprevious = signal.alarm(3600)',
    'previous = signal.alarm(0)',
  ],
] as const;

it.each(cases)('tells of %s, as long as it is there', async (told, begin, end) => {
  await run(kernel, begin);
  expect(await background()).toEqual([told]);
  await run(kernel, end);
  await expect.poll(background, { timeout: 60_000 }).toEqual([]);
});
