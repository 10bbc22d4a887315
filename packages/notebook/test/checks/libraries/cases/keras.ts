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
];
