// What torch loaders draw and what layers are given.
import type { CheckCase } from '../../libraries/cases/case.js';

const torch = 'import torch, numpy as np\nfrom torch import nn\n';

export const loaders: readonly CheckCase[] = [
  {
    check: 'torch/layer-input-type',
    setup: `${torch}layer = nn.Linear(3, 2)\nx = np.ones((4, 3), dtype="float32")`,
    crash: 'layer(x)',
    raises: 'TypeError',
    line: 1,
    healthy: ['layer(torch.as_tensor(x))', 'layer(torch.tensor(x))', 'layer(torch.from_numpy(x))'],
  },
  {
    check: 'torch/layer-input-type',
    name: 'inside forward',
    setup: `${torch}class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.fc = nn.Linear(3, 2)\n    def forward(self, x):\n        return self.fc(x)\nnet = Net()\ndevice = torch.device("cpu")\nx = torch.ones(4, 3)`,
    crash: 'net(x)\nnet(device)',
    raises: 'TypeError',
    line: 2,
    healthy: 'net(x.to(device))',
  },
  {
    check: 'attributes/missing-attribute',
    name: 'of a layer that a function of torch may have changed',
    setup: `${torch}from torch.nn.utils import prune\nclass Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.fc = nn.Linear(3, 2)\nnet, layer = Net(), nn.Linear(3, 2)`,
    crash: 'layer.weight_mask',
    raises: 'AttributeError',
    line: 1,
    healthy: [
      'prune.l1_unstructured(layer, "weight", amount=0.3)\nlayer.weight_mask',
      'prune.identity(net.fc, "bias")\nnet.fc.bias_mask',
      'nn.utils.weight_norm(net.fc)\nnet.fc.weight_g',
    ],
  },
];
