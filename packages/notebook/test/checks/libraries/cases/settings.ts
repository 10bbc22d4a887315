// Settings of a library that the cell itself switches: gradients, precision, devices, what transformers give. The copies that
// are asked work as the kernel did before the cell.
import type { CheckCase } from './case.js';

const model = `import torch
from torch import nn
model = nn.Linear(3, 2)
x = torch.randn(4, 3)
labels = torch.tensor([0, 1, 2, 3])
phase = "val"
`;
const scaled = `import sklearn
import pandas as pd
from sklearn.preprocessing import StandardScaler
df = pd.DataFrame({"a": [1.0, 2.0], "b": [3.0, 5.0]})
`;

export const settings: readonly CheckCase[] = [
  {
    check: 'torch/refused-call',
    name: 'an array of what requires gradients, in a block that lets them on',
    setup: model,
    crash: 'with torch.set_grad_enabled(True):\n    model(x).numpy()',
    raises: 'RuntimeError',
    line: 2,
    healthy: [
      'with torch.set_grad_enabled(phase == "train"):\n    model(x).numpy()',
      'torch.set_grad_enabled(False)\nmodel(x).numpy()\ntorch.set_grad_enabled(True)',
      'with torch.autograd.grad_mode.no_grad(): model(x).numpy()',
      'without = torch.no_grad()\nwith without: model(x).numpy()',
      'without = torch.no_grad()\nwithout.__enter__()\nmodel(x).numpy()\nwithout.__exit__(None, None, None)',
    ],
  },
  {
    check: 'torch/refused-call',
    name: 'a backward pass without gradients',
    setup: model,
    crash: 'with torch.no_grad():\n    model(x).sum().backward()',
    raises: 'RuntimeError',
    line: 2,
    healthy: [
      'with torch.no_grad():\n    with torch.enable_grad():\n        model(x).sum().backward()',
      'with torch.no_grad():\n    with torch.set_grad_enabled(True):\n        model(x).sum().backward()',
    ],
  },
  {
    check: 'values/false-assertion',
    name: 'of a number that a hook of a weight binds anew',
    setup: `${model}gain = 1.0
def tune(grad):
    global gain
    gain = 0.5
hook = model.weight.register_hook(tune)
`,
    crash: 'gain = 1.0\nassert gain == 0.5',
    raises: 'AssertionError',
    line: 2,
    healthy: 'gain = 1.0\nmodel(x).sum().backward()\nassert gain == 0.5',
  },
  {
    check: 'torch/dtype-mix',
    name: 'layers of another precision',
    setup: model,
    crash: 'nn.Linear(3, 2)(x.double())',
    raises: 'RuntimeError',
    line: 1,
    healthy:
      'torch.set_default_dtype(torch.float64)\nnn.Linear(3, 2)(x.double())\ntorch.set_default_dtype(torch.float32)',
  },
  {
    check: 'labels/position-out-of-bounds',
    name: 'of a tensor whose size depends on the values',
    setup: model,
    crash: 'labels.sort()[0][9]',
    raises: 'IndexError',
    line: 1,
    healthy: [
      'torch.unique(labels)[3]',
      'torch.unique_consecutive(labels)[3]',
      'torch.bincount(torch.tensor([0, 1]))[1]',
      'count = torch.tensor(3)\ntorch.zeros(count)[2]',
    ],
  },
  {
    check: 'types/wrong-index-type',
    name: 'of what a transformer gives',
    setup: scaled,
    crash: 'StandardScaler().fit_transform(df)["a"]',
    raises: 'IndexError',
    line: 1,
    healthy: [
      'with sklearn.config_context(transform_output="pandas"):\n    StandardScaler().fit_transform(df)["a"]',
      'sklearn.set_config(transform_output="pandas")\nStandardScaler().fit_transform(df)["a"]\nsklearn.set_config(transform_output="default")',
    ],
  },
];
