// A kernel in which TensorFlow has run cannot be forked: a twin judges its cells, with models and symbolic tensors rebuilt
// from Keras' own configurations.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { dryRun, type Kernel } from '../../src/index.js';
import { kernelWith, run } from '../agent/support.js';

let kernel: Kernel;
beforeAll(async () => {
  kernel = await kernelWith(
    `
import functools
import keras
import numpy as np
from keras import layers
x, z = np.random.rand(32, 5), np.random.rand(32)
model = keras.Sequential([keras.Input((5,)), layers.Dense(3), layers.Dense(1)])
model.compile("sgd", "mse")
numbers = keras.Input((5,), name="numbers")
tokens = keras.Input((10,), dtype="int32", name="tokens")
wide = layers.Dense(16)(numbers)
narrow = layers.GlobalAveragePooling1D()(layers.Embedding(30, 8)(tokens))
other = keras.Sequential([keras.Input((5,)), layers.Dense(2)])
scores = [keras.metrics.Precision(), keras.metrics.AUC()]
first = model.layers[0]
def halved(values, by=2):
    return values / by
def far(truth, guess):
    return keras.ops.mean(keras.ops.abs(truth - guess))
class Shifted(layers.Layer):
    def call(self, values):
        return values + 1
own = keras.Sequential([keras.Input((5,)), layers.Lambda(halved), Shifted(), layers.Dense(1)])
own.compile("sgd", far)
low = keras.Model(numbers, wide, name="low")
low.trainable = False
tuned = keras.Model(low.input, layers.Dense(1)(low.output))
tuned.compile("adam", "mse")
second = keras.Model(low.input, layers.Dense(2)(low.output))
inner = keras.Sequential([keras.Input((5,)), layers.Dense(4)])
outer = keras.Sequential([keras.Input((5,)), inner, layers.Dense(1)])
on_top = functools.partial(lambda units: keras.Model(numbers, layers.Dense(units)(wide)))
thawed = keras.Sequential([keras.Input((5,)), layers.Dense(3, trainable=False), layers.Dense(1)])
thawed.compile("adam", "mse")
_ = thawed.fit(x, z, verbose=0)
thawed.layers[0].trainable = True
_ = model.predict(x, verbose=0)
`,
  );
}, 120_000);
afterAll(() => kernel.close());

const judge = (cell: string) => dryRun(kernel, [cell], { budgetMs: 60_000, twinLoadMs: 120_000 });

it.each([
  ['merged = layers.Add()([wide, narrow])', 'ValueError', 1],
  [
    'merged = layers.Concatenate()([wide, narrow])\nboth = keras.Model([numbers, tokens], merged)\nboth.summary()',
    null,
    0,
  ],
  [
    'model.compile("sgd", "mse", metrics=scores)\nmodel.predict(x, verbose=0) @ other.predict(x, verbose=0)',
    'ValueError',
    2,
  ],
  ['for wide in x:\n    model(wide[None]) + other(wide[None])', null, 0],
  ['own.fit(x, z, epochs=1, verbose=0)\nhalved(own.predict(x, verbose=0)).shape', null, 0],
  ['own.fit(x, z, epochs=1, verbose=0)\nown.predict(x[:, :4], verbose=0)', 'ValueError', 2],
  [
    'low.trainable = True\ntuned.compile("adam", "mse")\ntuned.fit(x, z, verbose=0)\nlow.predict(x, verbose=0)',
    null,
    0,
  ],
  [
    'low.layers[1].set_weights([w * 0 for w in low.layers[1].get_weights()])\nassert tuned.get_weights()[0].any()',
    'AssertionError',
    2,
  ],
  [
    'inner.layers[0].set_weights([w * 0 for w in inner.get_weights()])\nassert outer.get_weights()[0].any()',
    'AssertionError',
    2,
  ],
  [
    'first.set_weights([w * 0 for w in first.get_weights()])\nassert model.get_weights()[0].any()',
    'AssertionError',
    2,
  ],
  ['on_top(3).predict(x, verbose=0)', null, 0],
  ['low.trainable = True\ntuned.fit(x, z, verbose=0)', null, 0],
  ['on_top(3).predict(x[:, :4], verbose=0)', 'ValueError', 1],
  ['history = model.fit(x, z, epochs=1, verbose=0)\nhistory.history["val_loss"]', 'KeyError', 2],
])('%s', { timeout: 180_000 }, async (cell, type, line) => {
  const result = await judge(cell);
  expect(result).toMatchObject({
    status: 'ok',
    ended: 'done',
    twin: { reason: { code: 'library-in-use', library: 'TensorFlow' } },
  });
  expect(result).toMatchObject({
    cells: [type === null ? { status: 'finished', doubt: null } : { type, line, doubt: null }],
  });
});

it('gives up where two objects share a layer and none is in the other', { timeout: 180_000 }, async () => {
  expect(await judge('tuned(x)\nsecond(x)')).toMatchObject({
    ended: 'failed',
    reason: { code: 'cannot-carry' },
  });
});

it('gives up where Keras leaves out what it saved', { timeout: 180_000 }, async () => {
  expect(await judge('thawed.fit(x, z, verbose=0)')).toMatchObject({
    ended: 'failed',
    reason: { code: 'cannot-rebuild' },
  });
});

it('leaves the kernel as it was', async () => {
  expect(await run(kernel, 'print("merged" in globals(), model.count_params())')).toBe('False 22\n');
});
