// torch/uninitialised-module: crashes, and healthy cells that differ by as little as possible. All of them are executed.
import type { CheckCase } from '../../libraries/cases/case.js';

const classes = `import torch
from torch import nn
class Bare(nn.Module):
    def __init__(self, width):
        self.width = width
        self.fc = nn.Linear(width, 2)
class Initialised(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.fc = nn.Linear(width, 2)
class Named(nn.Module):
    def __init__(self, width):
        nn.Module.__init__(self)
        self.fc = nn.Linear(width, 2)
def prepare(module): nn.Module.__init__(module)
class Prepared(nn.Module):
    def __init__(self, width):
        prepare(self)
        self.fc = nn.Linear(width, 2)
class Derived(Bare):
    def __init__(self, width):
        nn.Module.__init__(self)
        Bare.__init__(self, width)
class Plain:
    def __init__(self, width):
        self.fc = nn.Linear(width, 2)
class Guarded(nn.Module):
    def __new__(cls, *args):
        made = super().__new__(cls)
        nn.Module.__init__(made)
        return made
    def __init__(self, width):
        self.fc = nn.Linear(width, 2)
class Own(nn.Module):
    def __setattr__(self, name, value): object.__setattr__(self, name, value)
    def __init__(self, width):
        self.fc = nn.Linear(width, 2)
`;

export const cases: readonly CheckCase[] = [
  {
    check: 'torch/uninitialised-module',
    setup: classes,
    crash: 'width = 3\nnet = Bare(width)',
    raises: 'AttributeError',
    line: 2,
    healthy: [
      'Initialised(3).fc(torch.zeros(1, 3))',
      'Named(3)',
      'Prepared(3)',
      'Derived(3)',
      'Plain(3).fc(torch.zeros(1, 3))',
      'Guarded(3)',
      'own = Own(3)',
    ],
  },
  {
    check: 'torch/uninitialised-module',
    name: 'in the cell itself',
    setup: 'import torch\nfrom torch import nn',
    crash:
      'class Scale(nn.Module):\n    def __init__(self):\n        self.w = nn.Linear(2, 2)\nscale = Scale()',
    raises: 'AttributeError',
    line: 4,
    healthy: [
      'class Scale(nn.Module):\n    def __init__(self):\n        super(Scale, self).__init__()\n        self.w = nn.Linear(2, 2)\nscale = Scale()',
      'class Scale(nn.Module):\n    def __init__(self):\n        self.w = torch.ones(2)\nscale = Scale()',
    ],
  },
];
