// Needs of operations on recorded facts, where no library can be asked: a crash is told, and its healthy twin is let through.
import { expect, it } from 'vitest';
import { readInstance } from '../../src/junobench/data/instance.js';
import { ladderPrediction } from '../../src/junobench/methods/ladder.js';

const garden = `# Executed Cells:
## Cell 1:

import numpy as np
import pandas as pd
import torch
import torch.nn as nn
from tensorflow import keras
net = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 2))

# Current relevent runtime information:
{'__method__beds_corr': {'type': "<class 'method'>"},
 '__method__beds_groupby': {'type': "<class 'method'>"},
 '__method__w_grad': {'type': "<class 'NoneType'>", 'value': None},
 'beds': {'has_nan': False,
          'per_column': {'kind': {'num_unique': 2, 'type': 'categorical', 'unique_values': ['rose', 'iris']},
                         'soil': {'num_unique': 3, 'type': 'categorical', 'unique_values': ['clay', 'sand', 'loam']},
                         'height': {'num_unique': 9, 'type': 'continuous', 'value_range': (0.5, 2.5)}},
          'shape': (9, 3),
          'type': 'pandas.core.frame.DataFrame'},
 'heights': {'dtype': 'float64', 'shape': (9, 3), 'type': 'numpy.ndarray', 'has_nan': False, 'value_range': (0.5, 2.5)},
 'stars': {'dtype': 'int64', 'has_nan': False, 'shape': (8,), 'type': 'numpy.ndarray',
           'value_info': {'num_unique': 3, 'unique_values': [1, 3, 2], 'value_type': 'categorical numeric'}},
 'w': {'device': 'cpu', 'dtype': 'torch.float32', 'has_nan': False, 'requires_grad': True, 'shape': (3,), 'type': "<class 'torch.Tensor'>"}}
# Target Cell:

`;

const crashes: readonly (readonly [target: string, exception: string])[] = [
  ['beds.groupby("kind").mean()', 'TypeError'],
  ['beds.groupby("kind").agg({"height": "mean", "soil": "median"})', 'TypeError'],
  ['beds.corr()', 'ValueError'],
  ['beds["soil"] > 3', 'TypeError'],
  ['keras.utils.to_categorical(stars, num_classes=3)', 'IndexError'],
  ['np.eye(3)[stars]', 'IndexError'],
  ['heights[stars > 1]', 'IndexError'],
  ['for s in np.unique(stars):\n    heights[stars == s]', 'IndexError'],
  ['keras.optimizers.Adam(lr=0.1)', 'ValueError'],
  ['net(torch.from_numpy(heights))', 'RuntimeError'],
  ['pd.DataFrame({"kind": beds["kind"].values, "stars": stars})', 'ValueError'],
];

const healthy: readonly string[] = [
  'beds.groupby("kind").mean(numeric_only=True)',
  'beds.groupby(["kind", "soil"]).mean()',
  'beds.groupby("kind").agg({"height": "mean", "soil": "nunique"})',
  'beds[["height"]].corr()',
  'beds["soil"] == 3',
  'keras.utils.to_categorical(stars, num_classes=4)',
  'np.eye(4)[stars]',
  'heights[heights[:, 0] > 1]',
  'keras.optimizers.Adam(learning_rate=0.1)',
  'net(torch.from_numpy(heights).float())',
  'net.double()(torch.from_numpy(heights))',
  'pd.DataFrame({"kind": beds["kind"].values[:8], "stars": stars})',
  '(w * 2).sum().backward()\nstep = 0.1 * w.grad',
];

async function judge(target: string) {
  const instance = readInstance(garden + target);
  if (instance === null) throw new Error('the fixture has no target cell');
  const { outcome, exception } = await ladderPrediction(instance, ['names', 'contracts']);
  return { outcome, exception: exception?.type ?? null };
}

it.for(crashes)('%s raises %s', async ([target, exception]) => {
  expect(await judge(target)).toEqual({ outcome: 'crash', exception });
});

it.for(healthy)('%s is let through', async (target) => {
  expect((await judge(target)).outcome).toBe('unknown');
});
