// torch/device-mix: crashes, and healthy cells that differ by as little as possible. All of them are executed; where there is no
// GPU, the meta device is the other one.
import type { CheckCase } from '../../libraries/cases/case.js';

const setup =
  "import torch\nfrom torch import nn\nhere, there = torch.ones(8, 3), torch.ones(8, 3, device='meta')\none = torch.tensor(2.0)";

export const cases: readonly CheckCase[] = [
  {
    check: 'torch/device-mix',
    name: 'in a sum',
    setup,
    crash: 'print(here.sum())\ntotal = there + here',
    raises: 'RuntimeError',
    line: 2,
    healthy: [
      "total = there + here.to('meta')",
      'total = there * one',
      'total = there @ here.T',
      'there += here',
      'total = there + torch.ones_like(there)',
      'there = torch.zeros(8, 3)\ntotal = there + here',
      'here = here.to(device=there.device)\ntotal = there + here',
      'total = there + 1',
    ],
  },
  {
    check: 'torch/device-mix',
    name: 'in a comparison',
    setup,
    crash: 'hits = (there == here).sum()',
    raises: 'RuntimeError',
    line: 1,
    healthy: [
      'hits = (there == 1).sum()',
      'same = here.device == there.device or here is there',
      "hits = there == here.to('meta')",
    ],
  },
  {
    check: 'torch/device-mix',
    name: 'in a loss',
    setup,
    crash: 'loss = nn.MSELoss()(there, here)',
    raises: 'RuntimeError',
    line: 1,
    healthy: ['loss = nn.MSELoss()(here, here)', "loss = nn.MSELoss()(there, here.to('meta'))"],
  },
];
