// Pipelines of tf.data and objects with locks in a kernel that cannot be forked: a twin gets them made again from their
// steps, or says which it cannot have.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { dryRun, type Kernel } from '../../src/index.js';
import { kernelWith, run } from '../agent/support.js';

let kernel: Kernel;
beforeAll(async () => {
  kernel = await kernelWith(
    `
import threading
import numpy as np
import tensorflow as tf
half = 0.5
def scale(x, y):
    return x * half, y
pairs = tf.data.Dataset.from_tensor_slices((np.ones((20, 3), "float32"), np.arange(20)))
train = pairs.map(scale, num_parallel_calls=tf.data.AUTOTUNE).shuffle(8).batch(6).prefetch(2)
train.class_names = ["a", "b"]
counted = tf.data.Dataset.from_generator(
    lambda: iter(range(4)), output_signature=tf.TensorSpec((), tf.int32)
).batch(2)
both = tf.data.Dataset.zip((pairs, tf.data.Dataset.range(20))).take(5).cache()
class Reader:
    def __init__(self, rows):
        self.lock, self.rows = threading.Lock(), rows
        self.coming = self.steps()
    def steps(self):
        for row in self.rows:
            yield row
class Late:
    def __init__(self):
        self.loaded = None
    def __getattr__(self, name):
        return name if self.loaded is None else getattr(self.loaded, name)
late = Late()
reader, started, held = Reader([1, 2]), Reader([3, 4]), Reader([5])
_ = next(started.coming), held.lock.acquire()
`,
  );
}, 180_000);
afterAll(() => kernel.close());

const judge = (cell: string) => dryRun(kernel, [cell], { budgetMs: 60_000, twinLoadMs: 180_000 });

it.each([
  ['for x, y in train:\n    print(x.shape, float(x[0, 0]), train.class_names[1])', null],
  ['total = sum(int(batch[0]) for batch in counted)\nrows = [number for _, number in both]', null],
  ['for x, y in train:\n    tf.reshape(x, (6, 3))', 'InvalidArgumentError'],
  ['next(iter(both))[0] @ np.ones(2)', 'ValueError'],
  ['assert late.any == "any"\nlate.any.missing', 'AttributeError'],
  ['with reader.lock:\n    first = next(reader.coming)\nassert first == 1', null],
  ['with reader.lock:\n    missing = reader.rows[next(reader.coming) + 1]', 'IndexError'],
])('%s', { timeout: 240_000 }, async (cell, type) => {
  expect(await judge(cell)).toMatchObject({
    status: 'ok',
    ended: 'done',
    twin: { reason: { code: 'library-in-use', library: 'TensorFlow' } },
    cells: [type === null ? { status: 'finished', doubt: null } : { type, doubt: null }],
  });
});

it.each(['next(started.coming)', 'held.lock.release()'])(
  'gives up on what is in use: %s',
  { timeout: 240_000 },
  async (cell) => {
    expect(await judge(cell)).toMatchObject({ ended: 'failed', reason: { code: 'cannot-carry' } });
  },
);

it('leaves the kernel as it was', async () => {
  const state = 'print(next(reader.coming), next(started.coming), held.lock.locked(), reader.lock.locked())';
  expect(await run(kernel, state)).toBe('1 4 True False\n');
});
