// torch: shapes through layers, losses, dtypes, devices and single numbers.
import type { CheckCase } from './case.js';

const setup = `
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import TensorDataset
x = torch.randn(64, 400)
images = torch.randn(8, 28, 28, 3)
logits = torch.randn(8, 3)
classes = torch.tensor([0, 1, 2, 0, 1, 2, 0, 1])
class Net(nn.Module):
    def __init__(self, width=256):
        super().__init__()
        self.conv = nn.Conv2d(1, 16, 5)
        self.pool = nn.MaxPool2d(2)
        self.fc1 = nn.Linear(width, 64)
        self.fc2 = nn.Linear(64, 10)
    def forward(self, x):
        x = self.pool(F.relu(self.conv(x)))
        x = x.view(x.size(0), -1)
        return self.fc2(F.relu(self.fc1(x)))
net = Net()
digits = torch.randn(4, 1, 14, 14)
`;

export const torch: readonly CheckCase[] = [
  {
    check: 'attributes/missing-attribute',
    name: 'a layer keeps some of what it was made with as it was given',
    setup,
    crash: 'layer = nn.Linear(4, 3)\nlayer.out_features.shape',
    raises: 'AttributeError',
    line: 2,
    healthy: [
      'layer = nn.Linear(4, 3)\nlayer.bias.shape, layer.bias.data.zero_()',
      'a, b = Net(), Net()\ntorch.equal(a.fc2.bias, b.fc2.bias)',
      'assert nn.Linear(4, 3, bias=False).bias is None',
      'layer = nn.Conv2d(1, 2, 3)\nheight, width = layer.kernel_size\nassert layer.stride == (1, 1) and layer.padding[0] == 0',
      'assert not hasattr(nn.CrossEntropyLoss(), "size_average") or True\nassert nn.LSTM(4, 6).bias is True',
      'loader = torch.utils.data.DataLoader([1, 2], batch_size=2, sampler=None, collate_fn=None)\nloader.sampler.data_source, loader.collate_fn([1, 2])',
    ],
  },
  {
    check: 'torch/layer-input-shape',
    name: 'a linear layer',
    setup,
    crash: 'layer = nn.Linear(256, 64)\nout = layer(x)',
    raises: 'RuntimeError',
    line: 2,
    healthy: [
      'layer = nn.Linear(400, 64)\nout = layer(x)',
      'layer = nn.Linear(100, 64)\nout = layer(x.reshape(256, 100))',
    ],
  },
  {
    check: 'torch/layer-input-shape',
    name: 'channels last',
    setup,
    crash: 'model = nn.Sequential(nn.Conv2d(3, 4, 3), nn.ReLU())\nout = model(images)',
    raises: 'RuntimeError',
    line: 2,
    healthy: 'model = nn.Sequential(nn.Conv2d(3, 4, 3), nn.ReLU())\nout = model(images.permute(0, 3, 1, 2))',
  },
  {
    check: 'torch/layer-input-shape',
    name: 'inside forward',
    setup,
    crash: 'net.eval()\nout = net(digits)',
    raises: 'RuntimeError',
    line: 2,
    healthy: ['net = Net(400)\nout = net(digits)', 'net.fc1 = nn.Linear(400, 64)\nout = net(digits)'],
  },
  {
    check: 'torch/layer-input-shape',
    name: 'behind a functional pool',
    setup,
    crash: 'small = F.max_pool2d(digits, 2)\nout = nn.Linear(50, 2)(small.flatten(1))',
    raises: 'RuntimeError',
    line: 2,
    healthy: 'small = F.max_pool2d(digits, 2)\nout = nn.Linear(49, 2)(small.flatten(1))',
  },
  {
    check: 'torch/layer-input-shape',
    name: 'two layers in a sequence',
    setup,
    crash: 'model = nn.Sequential(nn.Linear(400, 500), nn.ReLU(), nn.Linear(1024, 2))\nout = model(x)',
    raises: 'RuntimeError',
    line: 2,
    healthy: 'model = nn.Sequential(nn.Linear(400, 500), nn.ReLU(), nn.Linear(500, 2))\nout = model(x)',
  },
  {
    check: 'torch/layer-input-shape',
    name: 'normalisation and recurrence',
    setup: `${setup}lstm = nn.LSTM(10, 20, batch_first=True)\nsteps = torch.randn(5, 7, 9)`,
    crash: 'out, state = lstm(steps)',
    raises: 'RuntimeError',
    line: 1,
    healthy:
      'lstm = nn.LSTM(9, 20, batch_first=True)\nout, state = lstm(steps)\nnn.Linear(20, 2)(out[:, -1])',
  },
  {
    check: 'torch/layer-input-shape',
    name: 'batch norm',
    setup,
    crash: 'norm = nn.BatchNorm2d(3)\nout = norm(logits)',
    raises: 'ValueError',
    line: 2,
    healthy: 'norm = nn.BatchNorm1d(3)\nout = norm(logits)',
  },
  {
    check: 'torch/dtype-mix',
    setup: `${setup}layer = nn.Linear(4, 2)\ndoubles = torch.from_numpy(np.ones((3, 4)))`,
    crash: 'out = layer(doubles)',
    raises: 'RuntimeError',
    line: 1,
    healthy: [
      'out = layer(doubles.float())',
      'layer.double()\nout = layer(doubles)',
      'doubles = doubles.to(torch.float32)\nout = layer(doubles)',
    ],
  },
  {
    check: 'torch/device-mix',
    setup: `${setup}layer = nn.Linear(4, 2, device='meta')\nones = torch.ones(3, 4)`,
    crash: 'out = layer(ones)',
    raises: 'RuntimeError',
    line: 1,
    healthy: ["out = layer(ones.to('meta'))", "layer = layer.to_empty(device='cpu')\nout = layer(ones)"],
  },
  {
    check: 'torch/loss-target',
    name: 'floats as classes',
    setup,
    crash: 'loss = nn.CrossEntropyLoss()(logits, classes.float())',
    raises: 'RuntimeError',
    line: 1,
    healthy: [
      'loss = nn.CrossEntropyLoss()(logits, classes)',
      'loss = nn.CrossEntropyLoss()(logits, F.one_hot(classes).float())',
    ],
  },
  {
    check: 'torch/loss-target',
    name: 'a column of floats as classes',
    setup: `${setup}column = classes.float().unsqueeze(1)`,
    crash: 'loss = F.cross_entropy(logits, column)',
    raises: 'RuntimeError',
    line: 1,
    healthy: 'loss = F.cross_entropy(logits, column.squeeze(1).long())',
  },
  {
    check: 'torch/loss-target',
    name: 'a class out of range',
    setup: `${setup}wrong = classes + 1`,
    crash: 'criterion = nn.CrossEntropyLoss()\nloss = criterion(logits, wrong)',
    raises: 'IndexError',
    line: 2,
    healthy: [
      'criterion = nn.CrossEntropyLoss()\nloss = criterion(logits, wrong - 1)',
      'criterion = nn.CrossEntropyLoss(ignore_index=3)\nloss = criterion(logits, wrong)',
    ],
  },
  {
    check: 'torch/loss-target',
    name: 'a column against a row',
    setup: `${setup}guess = torch.rand(8, 1)\ntruth = torch.ones(8)`,
    crash: 'loss = nn.BCELoss()(guess, truth)',
    raises: 'ValueError',
    line: 1,
    healthy: [
      'loss = nn.BCELoss()(guess, truth.unsqueeze(1))',
      'loss = nn.BCELoss()(guess.squeeze(1), truth)',
    ],
  },
  {
    check: 'torch/loss-target',
    name: 'another batch',
    setup,
    crash: 'loss = F.cross_entropy(logits, classes[:4])',
    raises: 'ValueError',
    line: 1,
    healthy: 'loss = F.cross_entropy(logits[:4], classes[:4])',
  },
  {
    check: 'torch/embedding-index',
    setup: `${setup}table = nn.Embedding(3, 4)\nids = torch.tensor([0, 3])`,
    crash: 'rows = table(ids)',
    raises: 'IndexError',
    line: 1,
    healthy: ['rows = table(ids - 1 + 1 - torch.tensor([0, 1]))', 'rows = nn.Embedding(4, 4)(ids)'],
  },
  {
    check: 'torch/tensor-to-numpy',
    setup: `${setup}weights = torch.ones(3, requires_grad=True)`,
    crash: 'values = weights.numpy()',
    raises: 'RuntimeError',
    line: 1,
    healthy: [
      'values = weights.detach().numpy()',
      'values = x.numpy()',
      'weights.requires_grad_(False)\nvalues = weights.numpy()',
      'weights.requires_grad = False\nvalues = weights.numpy()',
    ],
  },
  {
    check: 'torch/scalar-of-many',
    name: 'backward',
    setup: `${setup}weights = torch.ones(3, requires_grad=True)\nlosses = weights * 2`,
    crash: 'losses.backward()',
    raises: 'RuntimeError',
    line: 1,
    healthy: ['losses.mean().backward()', 'losses.backward(torch.ones(3))'],
  },
  {
    check: 'torch/scalar-of-many',
    name: 'item',
    setup,
    crash: 'print(logits.item())',
    raises: 'RuntimeError',
    line: 1,
    healthy: ['print(logits.mean().item())', 'print(logits[0, 0].item())'],
  },
  {
    check: 'torch/dataset-sizes',
    setup,
    crash: 'data = TensorDataset(logits, classes[:5])',
    raises: 'AssertionError',
    line: 1,
    healthy: 'data = TensorDataset(logits[:5], classes[:5])',
  },
  {
    check: 'torch/indivisible-heads',
    setup,
    crash: 'attention = nn.MultiheadAttention(embed_dim=100, num_heads=8)',
    raises: 'AssertionError',
    line: 1,
    healthy: 'attention = nn.MultiheadAttention(embed_dim=104, num_heads=8)',
  },
  {
    check: 'torch/refused-call',
    name: 'a recurrent layer',
    setup: `${setup}encoder = nn.GRU(8, 16, batch_first=True)\nsteps = torch.randn(4, 5, 9)`,
    crash: 'out, hidden = encoder(torch.randn(4, 5, 8), torch.zeros(1, 3, 16))',
    raises: 'RuntimeError',
    line: 1,
    healthy: [
      'out, hidden = encoder(torch.randn(4, 5, 8), torch.zeros(1, 4, 16))\nprint(out.shape, hidden.shape)',
      'out, hidden = encoder(torch.randn(4, 5, 8))\nmore, _ = encoder(torch.randn(4, 2, 8), hidden)',
      'encoder = nn.GRU(9, 16, batch_first=True)\nout, _ = encoder(steps)',
    ],
  },
  {
    check: 'torch/refused-call',
    name: 'the last batch of a loader',
    setup: `${setup}from torch.utils.data import DataLoader
class Carry(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = nn.RNNCell(4, 6)
    def forward(self, x, h):
        return self.cell(x, h)
carry = Carry()
batches = DataLoader(TensorDataset(torch.randn(10, 4)), batch_size=4)
even = DataLoader(TensorDataset(torch.randn(12, 4)), batch_size=4)
h = torch.zeros(4, 6)`,
    crash: 'for (xb,) in batches:\n    out = carry(xb, h)',
    raises: 'RuntimeError',
    line: 2,
    healthy: [
      'for (xb,) in even:\n    out = carry(xb, h)',
      'for (xb,) in batches:\n    out = carry(xb, h[:len(xb)])',
      'for (xb,) in batches:\n    out = carry(xb, h)\n    break',
      'for (xb,) in batches:\n    if len(xb) < 4:\n        continue\n    out = carry(xb, h)',
    ],
  },
  {
    check: 'torch/refused-call',
    name: 'a backward pass through a freed graph',
    setup: `${setup}layer = nn.Linear(400, 1)`,
    crash: 'loss = layer(x).pow(2).mean()\nloss.backward()\nloss.backward()',
    raises: 'RuntimeError',
    line: 3,
    healthy: [
      'for _ in range(3):\n    loss = layer(x).pow(2).mean()\n    loss.backward()',
      'loss = layer(x).pow(2).mean()\nloss.backward(retain_graph=True)\nloss.backward()',
      'with torch.no_grad():\n    value = layer(x).mean()\nvalue = value.numpy()',
    ],
  },
  {
    check: 'torch/refused-call',
    name: 'weights of another architecture',
    setup: `${setup}small = nn.Sequential(nn.Linear(4, 2))\nsaved = nn.Sequential(nn.Linear(4, 3)).state_dict()`,
    crash: 'print(small)\nsmall.load_state_dict(saved)',
    raises: 'RuntimeError',
    line: 2,
    healthy: [
      'small.load_state_dict(small.state_dict())',
      'small[0] = nn.Linear(4, 3)\nsmall.load_state_dict(saved)',
      'small.load_state_dict({}, strict=False)',
    ],
  },
  {
    check: 'torch/refused-call',
    name: 'a dataset of the notebook',
    setup: `${setup}from torch.utils.data import DataLoader, Dataset
class Walks(Dataset):
    def __init__(self, sizes):
        self.sizes = sizes
    def __len__(self):
        return len(self.sizes)
    def __getitem__(self, index):
        return torch.zeros(self.sizes[index]), index
def pad(items):
    return nn.utils.rnn.pad_sequence([item for item, _ in items], batch_first=True)
odd = DataLoader(Walks([3, 3, 3, 5]), batch_size=2)
`,
    crash: 'total = 0\nfor walk, number in odd:\n    total += walk.sum()',
    raises: 'RuntimeError',
    line: 2,
    healthy: [
      'total = 0\nfor walk, number in DataLoader(Walks([3, 3, 5, 5]), batch_size=2):\n    total += walk.sum()',
      'for walk, number in DataLoader(Walks([3, 5])):\n    pass',
      'for padded in DataLoader(Walks([3, 5]), batch_size=2, collate_fn=pad):\n    pass',
      'for walk, number in odd:\n    if number[0] == 0:\n        break',
    ],
  },
  {
    check: 'torch/unequal-batch-items',
    setup: `${setup}from torch.utils.data import DataLoader\npieces = [torch.zeros(3), torch.zeros(4), torch.zeros(5)]`,
    crash: 'loader = DataLoader(pieces, batch_size=2)\nfor piece in loader:\n    pass',
    raises: 'RuntimeError',
    line: 2,
    healthy: [
      'for piece in DataLoader(pieces):\n    pass',
      'for piece in DataLoader(pieces, batch_size=2, collate_fn=list):\n    pass',
      'for piece in DataLoader([torch.zeros(3), torch.zeros(3)], batch_size=2):\n    pass',
      'for piece in DataLoader(pieces, 2, False, None, None, 0, list):\n    pass',
      'for piece in DataLoader(pieces, batch_size=2, **{"collate_fn": list}):\n    pass',
      'for piece in DataLoader(pieces, batch_size=4, drop_last=True):\n    pass',
    ],
  },
  {
    check: 'torch/transform-not-callable',
    setup: `${setup}
import pathlib, sys
folder = pathlib.Path('torchvision')
folder.mkdir(exist_ok=True)
(folder / '__init__.py').write_text('')
(folder / 'transforms.py').write_text('def flip(image):\\n    return image\\n')
(folder / 'datasets.py').write_text('''
import torch
class ImageFolder(torch.utils.data.Dataset):
    def __init__(self, root, transform=None):
        self.transform = transform
    def __len__(self):
        return 2
    def __getitem__(self, index):
        return self.transform(torch.zeros(3)), index
''')
sys.path.insert(0, '')
from torch.utils.data import DataLoader
from torchvision import transforms
from torchvision.datasets import ImageFolder
`,
    crash: "data = ImageFolder('.', transform=transforms)\nfor image, label in DataLoader(data):\n    pass",
    raises: 'TypeError',
    line: 2,
    healthy:
      "data = ImageFolder('.', transform=transforms.flip)\nfor image, label in DataLoader(data):\n    pass",
    onlyIf: "'site-packages' not in transforms.__file__",
  },
  {
    check: 'torch/no-cuda',
    setup,
    crash: "print(x.shape)\nx = x.to('cuda')",
    raises: 'AssertionError',
    line: 2,
    healthy: [
      "x = x.to('cuda' if torch.cuda.is_available() else 'cpu')",
      "device = torch.device('cuda' if torch.cuda.is_available() else 'cpu')\nx = x.to(device)",
      'if torch.cuda.is_available():\n    x = x.cuda()',
    ],
    onlyIf: "torch.__version__.endswith('+cpu')",
  },
  {
    check: 'names/missing-file',
    name: 'the folder of a checkpoint',
    setup:
      'import os, torch\nnet = torch.nn.Linear(2, 2)\nwith torch.profiler.profile() as seen:\n    net(torch.zeros(1, 2))',
    crash: 'net(torch.zeros(1, 2))\ntorch.save(net.state_dict(), "checkpoints/net.pt")',
    raises: 'RuntimeError',
    line: 2,
    healthy: [
      'torch.save(net.state_dict(), "net.pt")',
      'os.makedirs("kept", exist_ok=True)\ntorch.save(net.state_dict(), "kept/net.pt")',
      'seen.export_chrome_trace("trace.json")\nopen("trace.json").close()',
    ],
  },
  {
    check: 'torch/refused-call',
    name: 'weights of another model in a file',
    setup: `${setup}narrow, broad = nn.Linear(4, 2), nn.Linear(8, 2)
torch.save(narrow.state_dict(), 'narrow.pt')
torch.save({'model': broad.state_dict(), 'epoch': 3}, 'broad.pt')`,
    crash: "weights = torch.load('narrow.pt', map_location='cpu')\nbroad.load_state_dict(weights)",
    raises: 'RuntimeError',
    line: 2,
    healthy: [
      "weights = torch.load('narrow.pt', map_location='cpu')\nnarrow.load_state_dict(weights)",
      "saved = torch.load('broad.pt', weights_only=True)\nbroad.load_state_dict(saved['model'])\nstart = saved['epoch'] + 1",
      "torch.save(broad.state_dict(), 'narrow.pt')\nbroad.load_state_dict(torch.load('narrow.pt'))",
      "broad = nn.Linear(4, 2)\nbroad.load_state_dict(torch.load('narrow.pt'))",
      "weights = torch.load('narrow.pt')\nweights['weight'] = torch.zeros(2, 8)\nbroad.load_state_dict(weights)",
      "import os\nos.replace('narrow.pt', 'other.pt')\ntorch.save(broad.state_dict(), 'narrow.pt')\nbroad.load_state_dict(torch.load('narrow.pt'))",
      "import shutil\ntorch.save(broad.state_dict(), 'b.pt')\nshutil.copy('b.pt', 'narrow.pt')\nbroad.load_state_dict(torch.load('narrow.pt'))",
    ],
  },
  {
    check: 'torch/layer-input-shape',
    name: 'of a layer that was not changed',
    setup: `${setup}layer = nn.Linear(4, 2)
hooked = nn.Linear(4, 2)
hooked.register_forward_pre_hook(lambda module, args: args[0][:, :4])
replaced = nn.Linear(4, 2)
replaced.forward = lambda x: x.sum()`,
    crash: 'out = layer(x)',
    raises: 'RuntimeError',
    line: 1,
    healthy: [
      'out = hooked(x)',
      'out = replaced(x)',
      'layer.weight = nn.Parameter(torch.zeros(2, 400))\nout = layer(x)',
      'layer.weight.data = torch.zeros(2, 400)\nout = layer(x)',
      'Net.forward = lambda self, x: x.mean()\nout = net(x)',
    ],
  },
  {
    check: 'torch/refused-call',
    name: 'a part of a tensor is given another number of rows',
    setup,
    crash: 'w = torch.randn(5)\nw[3:] = torch.arange(3).float()',
    raises: 'RuntimeError',
    line: 2,
    healthy: [
      'w = torch.randn(5)\nw[2:] = torch.arange(3).float()',
      'w = torch.randn(5)\nw[3:] = 0.0\nw[:2] = torch.ones(1)',
      'w = torch.arange(5)\nw[w > 1] = torch.zeros(3, dtype=torch.long)',
      'w = torch.randn(5)\nw[classes[:3]] = torch.zeros(3)',
    ],
  },
  {
    check: 'torch/refused-call',
    name: 'random numbers of a generator that takes no such arguments',
    setup,
    crash: 'g = torch.Generator().manual_seed(1)\nr = torch.randperm(-3, generator=g)',
    raises: 'RuntimeError',
    line: 2,
    healthy: [
      'g = torch.Generator().manual_seed(1)\nr = torch.randperm(3, generator=g)',
      'g = torch.Generator(device="cpu")\nr = torch.rand(2, generator=g)',
    ],
  },
  {
    check: 'torch/refused-call',
    name: 'a module of one precision is given another',
    setup,
    crash: 'other = Net().double()\nother.eval()\nout = other(torch.randn(2, 1, 12, 12))',
    raises: 'RuntimeError',
    line: 3,
    healthy: [
      'other = Net().double()\nout = other(torch.randn(2, 1, 12, 12).double())',
      'other = Net()\nout = other(torch.randn(2, 1, 12, 12))\nother.double()\nout = other(torch.randn(2, 1, 12, 12).double())',
      'part = nn.Linear(4, 4)\nwhole = nn.Sequential(part, nn.ReLU())\nwhole.double()\nout = part(torch.randn(2, 4).double())',
      'part = nn.Linear(4, 4)\nfor one in [part, net]:\n    one.double()\nout = part(torch.randn(2, 4).double())\nnet.float()',
    ],
  },
  {
    check: 'attributes/missing-attribute',
    name: 'a result has no such attribute',
    setup: `${setup}
lstm = nn.LSTM(4, 8, batch_first=True)
steps = torch.randn(2, 5, 4)`,
    crash: 'out = lstm(steps)\nprint(out.shape)',
    raises: 'AttributeError',
    line: 2,
    healthy: [
      'out, (h, c) = lstm(steps)\nprint(out.shape, h.shape)',
      'packed = nn.utils.rnn.pack_padded_sequence(steps, [5, 3], batch_first=True)\nout, _ = lstm(packed)\nprint(out.data.shape)',
      'best = torch.max(steps, dim=1)\nprint(best.values.shape, best.indices.shape)',
    ],
  },
];
