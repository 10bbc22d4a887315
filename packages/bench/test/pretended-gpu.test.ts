// Contracts in a kernel that uses a GPU, on a machine without one: the kernel pretends to have it. A crash that lies in a
// function of the notebook, behind a loader or in another library is met in a copy in which nothing on the GPU has its
// values; its healthy twin, and whatever depends on values, is left alone.
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { type GpuPrediction, runGpu } from '../src/gpu/run.js';

const python =
  process.env['GRUS_PYTHON'] ?? join(import.meta.dirname, '..', '..', '..', '.venv', 'bin', 'python');

const setup = `
import numpy as np
import torch, torch.nn as nn, torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset
device = torch.device('cuda')
class Net(nn.Module):
    def __init__(self, width=8):
        super().__init__()
        self.body = nn.Linear(4, width)
        self.head = nn.Linear(width, 3)
        self.mean = torch.zeros(4)
    def forward(self, x):
        return self.head(F.relu(self.body(x)))
    def centred(self, x):
        return self(x - self.mean)
def step(model, x, y):
    opt.zero_grad()
    loss = F.cross_entropy(model(x), y)
    loss.backward()
    opt.step()
    return loss
def collate(rows):
    return {'x': torch.stack([x for x, _ in rows]), 'label': torch.stack([y for _, y in rows])}
def to_device(batch):
    return {name: part.to(device) for name, part in batch.items()}
net = Net().to(device)
opt = torch.optim.Adam(net.parameters())
X, y = torch.randn(32, 4), torch.randint(0, 3, (32,))
xg, yg = X.to(device), y.to(device)
loader = DataLoader(TensorDataset(X, y), batch_size=8, shuffle=True, collate_fn=collate)
names = {0: 'a', 1: 'b', 2: 'c'}
step(net, xg, yg)
`;

/** What crashes, with its exception, and what is like it and does not. */
const pairs: Record<string, readonly [crash: string, exception: string, fine: string]> = {
  'a target that stayed behind': [
    "for batch in loader:\n    loss = step(net, batch['x'].to(device), batch['label'])",
    'RuntimeError',
    "for batch in loader:\n    loss = step(net, batch['x'].to(device), batch['label'].to(device))",
  ],
  'an attribute that was not moved': [
    'rows = [net.centred(part) for part in xg.split(8)]',
    'RuntimeError',
    'net.mean = net.mean.to(device)\nrows = [net.centred(part) for part in xg.split(8)]\nnet.mean = net.mean.cpu()',
  ],
  'an array of what is on the GPU': [
    'with torch.no_grad():\n    best = np.argsort(-net(xg).softmax(1), axis=1)',
    'TypeError',
    'with torch.no_grad():\n    best = np.argsort(-net(xg).softmax(1).cpu(), axis=1)',
  ],
  'a key that the batches lack': [
    "for batch in map(to_device, loader):\n    out = net(batch['features'])",
    'KeyError',
    "for batch in map(to_device, loader):\n    out = net(batch['x'])",
  ],
  'weights of another width': [
    'wider = Net(16).to(device)\nwider.load_state_dict(net.state_dict())',
    'RuntimeError',
    'same = Net(8).to(device)\nsame.load_state_dict(net.state_dict())',
  ],
};

/** What depends on values that a copy does not have, or on the GPU itself. */
const fine = [
  "if net(xg).sum() > 1e9:\n    raise ValueError('too large')",
  'chosen = xg[yg < 3]\nassert len(chosen) == 32\nparts = chosen.view(16, 2, 4)',
  'found = [names[number.item()] for number in yg]',
  'found = [names[number] for number in yg.tolist()]',
  "with torch.autocast('cuda', dtype=torch.float16):\n    out = net(xg)\nprint(out, f'{out.sum():.3f}')",
  'drawn = torch.multinomial(net(xg).softmax(1), 1)\nprint(drawn.shape)',
  'kept = torch.zeros(32, 3)\nkept[:] = net(xg).detach()\nlist(range(3)).index(int(kept.argmax(1).max() * 0))',
  'torch.linalg.inv(xg.T @ xg)',
  'W = torch.ones(3, requires_grad=True)\n(W * 2).sum().backward()\nassert W.grad is not None',
  'try:\n    step(net, xg, yg)\nexcept RuntimeError:\n    raise ValueError("not here")',
  'host = xg.numpy(force=True)',
  'torch.manual_seed(5)\none = torch.rand(1).item()\ntorch.manual_seed(5)\nnoise = torch.rand(4, device=device)\nif torch.rand(1).item() != one:\n    raise ValueError("moved")',
  'picked = xg[torch.randperm(32)[:4]]\nassert picked.is_cuda',
  'best = yg.max()\nrows = torch.eye(int(best) + 1, device=device)[yg]\nrows.view(32, 3)',
];

let judged: readonly GpuPrediction[];
const cells = [
  ...Object.values(pairs).flatMap(([crash, , healthy]) => [
    ['crash', crash],
    ['fine', healthy],
  ]),
  ...fine.map((source) => ['fine', source]),
];

beforeAll(async () => {
  const data = await mkdtemp(join(tmpdir(), 'grus-cells-'));
  const text = cells.map(([purpose, source]) => `# %% ${purpose}\n${source}\n`).join('\n');
  await writeFile(join(data, 'cells.py'), `# %% setup\n${setup}\n${text}`);
  const report = await runGpu({ data, python, pretended: true, methods: ['contracts'] });
  expect(report.skipped).toEqual([]);
  judged = report.predictions;
}, 180_000);

it.each(Object.entries(pairs).map(([name, [, exception]], index) => [name, exception, 2 * index] as const))(
  'tells %s',
  (_name, exception, at) => {
    expect(judged[at]).toMatchObject({ outcome: 'crash', rung: 'contracts', exception });
    expect(judged[at + 1]).toMatchObject({ outcome: 'unknown' });
  },
);

it.each(fine.map((source, index) => [source, 2 * Object.keys(pairs).length + index] as const))(
  'leaves alone what may be well: %s',
  (_source, at) => {
    expect(judged[at]).toMatchObject({ outcome: 'unknown' });
  },
);
