// Keras: compiled state, input and target shapes, numbers of samples.
import type { CheckCase } from './case.js';

const setup = `
import numpy as np
import keras
def build(units=3, width=4):
    return keras.Sequential([keras.Input((width,)), keras.layers.Dense(5, activation='relu'), keras.layers.Dense(units, activation='softmax')])
model = build()
model.compile(optimizer='adam', loss='categorical_crossentropy')
raw = build()
X = np.ones((12, 4))
y = np.arange(12) % 3
Y = np.eye(3)[y]
images = np.ones((4, 8, 8))
conv = keras.Sequential([keras.Input((8, 8, 1)), keras.layers.Conv2D(2, 3), keras.layers.GlobalAveragePooling2D(), keras.layers.Dense(1)])
`;

export const keras: readonly CheckCase[] = [
  {
    check: 'keras/not-compiled',
    setup,
    crash: 'raw.fit(X, Y, verbose=0)',
    raises: 'ValueError',
    line: 1,
    healthy: [
      "raw.compile(loss='categorical_crossentropy')\nraw.fit(X, Y, verbose=0)",
      'raw.predict(X, verbose=0)',
      'model.fit(X, Y, verbose=0)',
    ],
  },
  {
    check: 'keras/input-shape',
    name: 'features',
    setup,
    crash: 'out = model.predict(X[:, :3], verbose=0)',
    raises: 'ValueError',
    line: 1,
    healthy: 'out = model.predict(X, verbose=0)',
  },
  {
    check: 'keras/input-shape',
    name: 'dimensions',
    setup,
    crash: 'out = model.predict(images, verbose=0)',
    raises: 'ValueError',
    line: 1,
    healthy: [
      'out = conv.predict(images, verbose=0)',
      'out = conv.predict(np.ones((4, 9, 9, 1)), verbose=0)',
      'out = model.predict(images.reshape(-1, 4), verbose=0)',
    ],
  },
  {
    check: 'keras/target-shape',
    setup,
    crash: 'model.fit(X, y, verbose=0)',
    raises: 'ValueError',
    line: 1,
    healthy: [
      'model.fit(X, Y, verbose=0)',
      "model.compile(loss='sparse_categorical_crossentropy')\nmodel.fit(X, y, verbose=0)",
    ],
  },
  {
    check: 'keras/target-shape',
    name: 'another width',
    setup,
    crash: 'model.fit(X, Y[:, :2], verbose=0)',
    raises: 'ValueError',
    line: 1,
    healthy: 'model.fit(X, Y, verbose=0)',
  },
  {
    check: 'keras/sample-count-mismatch',
    setup,
    crash: 'model.fit(X, Y[:10], verbose=0)',
    raises: 'ValueError',
    line: 1,
    healthy: 'model.fit(X[:10], Y[:10], verbose=0)',
  },
  {
    check: 'keras/layer-input',
    name: 'in a stack',
    setup: `${setup}from keras import layers`,
    crash: 'net = keras.Sequential([\n    layers.Input((8, 8, 1)), layers.Flatten(), layers.Conv2D(4, 3)])',
    raises: 'ValueError',
    line: 1,
    healthy: [
      'net = keras.Sequential([layers.Input((8, 8, 1)), layers.Conv2D(4, 3), layers.MaxPooling2D(), layers.Flatten(), layers.Dense(2)])',
      'net = keras.Sequential([layers.Flatten(), layers.Conv2D(4, 3)])',
      'net = keras.Sequential([layers.Input((6, 3)), layers.LSTM(4, return_sequences=True), layers.LSTM(4)])',
    ],
  },
  {
    check: 'keras/layer-input',
    name: 'branches',
    setup: `${setup}from keras import layers\nleft = keras.Input((5,))\nright = keras.Input((5,))`,
    crash: 'a = layers.Dense(16)(left)\nb = layers.Dense(8)(right)\nboth = layers.Add()([a, b])',
    raises: 'ValueError',
    line: 3,
    healthy: [
      'a = layers.Dense(8)(left)\nb = layers.Dense(8)(right)\nboth = layers.Add()([a, b])\nout = keras.Model([left, right], layers.Dense(1)(both))',
      'a = layers.Dense(16)(left)\nb = layers.Dense(8)(right)\nboth = layers.Concatenate()([a, b])',
    ],
  },
  {
    check: 'keras/unknown-name',
    setup: `${setup}from keras import layers`,
    crash: "layer = layers.Dense(8, activation='relux')",
    raises: 'ValueError',
    line: 1,
    healthy: [
      "layer = layers.Dense(8, activation='relu')\nother = layers.Dense(8, 'leaky_relu', kernel_initializer='he_normal')",
      "raw.compile('ADAM', loss='mse')",
      'layer = layers.Dense(8, activation=None)',
    ],
  },
  {
    check: 'keras/unknown-name',
    name: 'a loss that an earlier cell gave',
    setup: `${setup}raw.compile('adam', loss='mean_squared_eror')`,
    crash: 'raw.fit(X, Y, verbose=0)',
    raises: 'ValueError',
    line: 1,
    healthySetup: `${setup}def own(truth, guess):
    return keras.ops.mean(keras.ops.square(truth - guess), axis=-1)
raw.compile('adam', loss=own)`,
    healthy: 'raw.fit(X, Y, verbose=0)',
  },
  {
    check: 'keras/unknown-argument',
    setup,
    crash: 'step = 0.01\noptimizer = keras.optimizers.Adam(lr=step)',
    raises: 'ValueError',
    line: 2,
    healthy: [
      'optimizer = keras.optimizers.Adam(learning_rate=0.01, clipnorm=1.0)',
      "layer = keras.layers.Dense(3, input_shape=(4,), name='first', dtype='float32')",
    ],
  },
  {
    check: 'keras/unknown-argument',
    name: 'of a layer',
    setup: `${setup}from keras import layers`,
    crash: "wide = 16\nlayer = layers.Dense(wide, activation='relu', kernel_init='he_normal')",
    raises: 'ValueError',
    line: 2,
    healthy: [
      "layer = layers.Dense(16, activation='relu', kernel_initializer='he_normal')",
      "layer = layers.LSTM(4, return_sequences=True, implementation=2, zero_output_for_mask=True, name='seq')",
      'layer = layers.Embedding(10, 4, input_length=5, mask_zero=True)',
      'layer = layers.LeakyReLU(alpha=0.1)',
      "layer = layers.GlobalAveragePooling2D(keepdims=True, data_format='channels_last')",
      'layer = layers.MultiHeadAttention(2, 4, dropout=0.1, trainable=False)',
      'class Own(layers.Dense):\n    def __init__(self, units, kernel_init=None, **rest):\n        super().__init__(units, kernel_initializer=kernel_init, **rest)\nlayer = Own(4, kernel_init="he_normal", name="own")',
      'layer = layers.Bidirectional(layers.GRU(3), merge_mode="sum", name="both")',
    ],
  },
  {
    check: 'calls/wrong-arguments',
    name: 'a layer without what it needs',
    setup: `${setup}from keras import layers`,
    crash: "layer = layers.Dense(activation='relu')",
    raises: 'TypeError',
    line: 1,
    healthy: [
      "layer = layers.Dense(units=3, activation='relu')",
      'class Scale(layers.Layer):\n    def __init__(self, by=2):\n        super().__init__()\n        self.by = by\nlayer = Scale()',
    ],
  },
  {
    check: 'keras/object-array',
    setup: `${setup}import tensorflow as tf\nmixed = np.array([[1.0, 2], [True, 3]], dtype=object)\nwords = np.array(['a', 'b'], dtype=object)`,
    crash: 'tensor = tf.constant(mixed)',
    raises: 'ValueError',
    line: 1,
    healthy: ['tensor = tf.constant(mixed.astype("float32"))', 'tensor = tf.constant(words)'],
  },
  {
    check: 'labels/missing-key',
    name: 'a history without validation',
    setup,
    crash: "record = model.fit(X, Y, epochs=1, verbose=0)\ncurve = record.history['val_loss']",
    raises: 'KeyError',
    line: 2,
    healthy: [
      "record = model.fit(X, Y, epochs=1, verbose=0, validation_split=0.5)\ncurve = record.history['val_loss']",
      "raw.compile('sgd', 'mse', metrics=['mae'])\nrecord = raw.fit(X, Y, verbose=0)\ncurve = record.history['mae']",
      "stop = keras.callbacks.ReduceLROnPlateau(monitor='loss')\nrecord = model.fit(X, Y, verbose=0, callbacks=[stop])\nrates = record.history['learning_rate']",
    ],
  },
  {
    check: 'types/no-item-assignment',
    setup: `${setup}import tensorflow as tf\nscores = tf.constant([[0.1, 0.7], [0.5, 0.3]])`,
    crash: 'mask = tf.zeros_like(scores)\nmask[0, 1] = 1.0',
    raises: 'TypeError',
    line: 2,
    healthy: [
      'mask = np.zeros_like(scores)\nmask[0, 1] = 1.0',
      'mask = tf.Variable(tf.zeros_like(scores))\nmask[0, 1].assign(1.0)',
      'pair = list((1, 2))\npair[0] = 5\nscores = tf.tensor_scatter_nd_update(scores, [[0, 0]], [1.0])',
    ],
  },
];
