// Long cells: a second copy is sent ahead with its loops and fits cut short. What it meets counts only when the cutting
// cannot have caused it; everything else waits for the copy that runs the whole cell.
import { textOf } from '@grus/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DryRunResult, dryRun, type Kernel } from '../../src/index.js';
import { kernelWith, run } from '../agent/support.js';
import { sentAhead } from './clip-support.js';

type Copy = Extract<DryRunResult, { status: 'ok' }>;

let kernel: Kernel;
beforeAll(async () => {
  kernel = await kernelWith(
    `
import time, torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
from sklearn.ensemble import RandomForestClassifier
torch.manual_seed(0)
X, y = torch.randn(803, 12), torch.randn(803)
loader = DataLoader(TensorDataset(X, y), batch_size=8, shuffle=True)
net = nn.Sequential(nn.Linear(12, 32), nn.ReLU(), nn.Linear(32, 1))
opt = torch.optim.Adam(net.parameters())
wide = torch.randn(10, 13)
weights = net[0].weight.sum().item()
`,
    `
def train(model, epochs):
    losses = []
    for epoch in range(epochs):
        for xb, yb in loader:
            opt.zero_grad()
            loss = ((model(xb).squeeze(1) - yb) ** 2).mean()
            loss.backward()
            opt.step()
        losses.append(loss.item())
    return losses
`,
  );
});
afterAll(() => kernel.close());

async function copyOf(cells: string[], budgetMs: number): Promise<Copy> {
  const result = await dryRun(kernel, cells, { budgetMs, clipAfterMs: 100 });
  if (result.status !== 'ok') throw new Error(textOf(result.reason));
  return result;
}

const training = `history, best = [], None
alias = {"losses": history}
for epoch in range(100_000):
    for i, (xb, yb) in enumerate(loader):
        opt.zero_grad()
        loss = ((net(xb).squeeze(1) - yb) ** 2).mean()
        loss.backward()
        opt.step()
    history.append(loss.item())
    if epoch == 50_000:
        best = loss.item()
`;
const after = training.split('\n').length;

describe('an exception that the cutting cannot have caused is told at once', () => {
  it.each([
    ['reads nothing of the loop', `${training}wide.missing`, 'AttributeError', after],
    ['a name that nothing binds', `${training}undefined_name`, 'NameError', after],
    ['only the form of the model matters', `${training}net(wide)`, 'RuntimeError', after],
    ['a tensor that still has its gradient', `${training}net(X).numpy()`, 'RuntimeError', after],
    [
      'weights of another width',
      `${training}nn.Linear(13, 32).load_state_dict(net[0].state_dict())`,
      'RuntimeError',
      after,
    ],
    ['in a comprehension', `${training}[wide.missing for _ in range(3)]`, 'AttributeError', after],
    [
      'after a comprehension that trains',
      'log = [train(net, 1) for _ in range(100_000)]\nnet(wide)',
      'RuntimeError',
      2,
    ],
    ['after a function of an earlier cell', 'losses = train(net, 100_000)\nnet(wide)', 'RuntimeError', 2],
    [
      'after a fit',
      'forest = RandomForestClassifier(n_estimators=1_000_000).fit(X.numpy(), (y > 0).numpy())\nforest.coef_',
      'AttributeError',
      2,
    ],
    [
      'what a dict with numbers for keys holds',
      'scores = {2: [], 4: []}\nfor seed in range(100_000):\n    for depth in scores:\n        scores[depth].append(train(net, 1)[-1])\n{depth: held / 2 for depth, held in scores.items()}',
      'TypeError',
      5,
    ],
    [
      'a division by what no training decides',
      `${training}top = sorted((net(X[i]).item() for i in range(60)), reverse=True)[: 60 // 100]\nsum(top) / len(top)`,
      'ZeroDivisionError',
      after + 1,
    ],
    [
      'a file that no fold writes',
      'for fold in range(4):\n    train(net, 100_000)\n    torch.save(net.state_dict(), f"fold-{fold}.pt")\nfor fold in range(1, 5):\n    torch.load(f"fold-{fold}.pt")',
      'FileNotFoundError',
      5,
    ],
    [
      'a file beside the one that every round writes',
      'def save(name):\n    torch.save(net.state_dict(), f"{name}.pt")\nbest = 1e9\nfor epoch in range(100_000):\n    loss = train(net, 1)[-1]\n    if loss < best:\n        best = loss\n        save("kept")\ntorch.load("net_kept.pt")',
      'FileNotFoundError',
      9,
    ],
    [
      'what a function made of the model',
      'def guess():\n    return net(X).detach().numpy()\nfor epoch in range(100_000):\n    train(net, 1)\n    top = guess().argmax()\nguess().reshape(7, 7)',
      'ValueError',
      6,
    ],
    [
      'a word under which no round stores anything',
      'history = {"loss": [], "val_acc": []}\nfor epoch in range(100_000):\n    history["loss"].append(train(net, 1))\n    history["val_acc"].append(net.eval())\nmax(history["valid_acc"])',
      'KeyError',
      5,
    ],
    [
      'a word that no code says, in rows with a branch that was not come to',
      'rows = []\nfor epoch in range(100_000):\n    row = {"loss": train(net, 1)[-1]}\n    if row["loss"] < -1:\n        row["best"] = True\n    rows.append(row)\nrows[-1]["valid"]',
      'KeyError',
      7,
    ],
    [
      'a file whose name no code says',
      'for epoch in range(100_000):\n    if train(net, 1)[-1] < -1:\n        torch.save(net.state_dict(), f"epoch-{epoch}.pt")\ntorch.save(net.state_dict(), "last.pt")\ntorch.load("final.pt")',
      'FileNotFoundError',
      5,
    ],
    [
      'a best that nothing can beat',
      'best, kept = float("inf"), None\nfor epoch in range(100_000):\n    score = -train(net, 1)[-1]\n    if score > best:\n        best, kept = score, net.state_dict()\nnet.load_state_dict(kept)',
      'TypeError',
      6,
    ],
    [
      'a kind of thing, with a branch that no round went through',
      'class Stopper:\n    def __init__(self):\n        self.best = None\n    def __call__(self, loss):\n        if loss < -1:\n            self.best = loss\n            self.stop = True\nstopper, notes = Stopper(), {}\nfor epoch in range(100_000):\n    loss = train(net, 1)[-1]\n    stopper(loss)\n    if loss < -1:\n        notes["low"] = epoch\nnotes["epochs"] = {"all": stopper}\nsorted(notes["epochs"]["all"])',
      'TypeError',
      15,
    ],
    [
      'a model that a loop without a known end only uses',
      'done, step = False, 0\nwhile not done:\n    for xb, yb in loader:\n        opt.zero_grad()\n        ((net(xb).squeeze(1) - yb) ** 2).mean().backward()\n        opt.step()\n        step += 1\n        if step >= 10_000_000:\n            done = True\n            break\nnn.Linear(13, 32).load_state_dict(net[0].state_dict())',
      'RuntimeError',
      11,
    ],
    [
      'a list that late rounds fill',
      'late = []\nfor epoch in range(100_000):\n    loss = train(net, 1)[-1]\n    if epoch > 50_000 and epoch % 1_000 == 0:\n        late.append(loss)\ntorch.zeros(100_000) + torch.tensor(late)',
      'RuntimeError',
      6,
    ],
    [
      'a kind of thing beside a time',
      `${training}import json\njson.dumps({"minutes": time.time() / 60, "net": net})`,
      'TypeError',
      after + 1,
    ],
    [
      'a function that was only defined',
      'import pickle\nlosses = train(net, 100_000)\nhalf = lambda v: v.mean() / 2\npickle.dumps({"losses": losses, "half": half})',
      'PicklingError',
      4,
    ],
    [
      'a stream that the loop took to its end',
      'def stream():\n    for step in range(100_000):\n        yield train(net, 1)\nbatches = stream()\nfor losses in batches:\n    pass\nnext(batches)',
      'StopIteration',
      7,
    ],
    [
      'names that late rounds give to the weights',
      'from torch.nn.utils import prune\nfor epoch in range(100_000):\n    train(net, 1)\n    if epoch == 50_000:\n        prune.random_unstructured(net[0], "weight", amount=0.5)\nnn.Linear(12, 32).load_state_dict(net[0].state_dict())',
      'RuntimeError',
      6,
    ],
    [
      'how many things a step gives',
      'class Walk:\n    def step(self, way):\n        self.at = way\n        return self.at, self.at > 2\nwalk, losses = Walk(), []\nfor epoch in range(100_000):\n    losses.append(train(net, 1)[-1] + walk.step(epoch)[0])\nat, done = walk.at, False\nwhile not done:\n    at, reward, done = walk.step(losses[-1])',
      'ValueError',
      10,
    ],
    [
      'in front of a file that is written anew',
      `${training}with open("kept.bin", "wb") as kept:\n    kept.write(wide.missing)`,
      'AttributeError',
      after + 1,
    ],
    [
      'what a function is given',
      `${training}def look(name):\n    net.eval()\n    return {"mean": 0}[name]\nlook("median")`,
      'KeyError',
      after + 2,
    ],
    [
      'the last, smaller batch',
      'for epoch in range(100_000):\n    for xb, yb in loader:\n        net(xb)\n        time.sleep(1)\n        yb.view(8, 1)',
      'RuntimeError',
      5,
    ],
    [
      'a schedule with fewer steps than the loops make',
      'schedule = torch.optim.lr_scheduler.OneCycleLR(opt, 0.1, total_steps=100_000 * 100)\nfor epoch in range(100_000):\n    for xb, yb in loader:\n        opt.step()\n        schedule.step()',
      'ValueError',
      5,
    ],
    [
      'a list of rates that is one too short',
      'rates = [0.1] * 100_000\nschedule = torch.optim.lr_scheduler.LambdaLR(opt, lambda step: rates[step])\nfor epoch in range(100_000):\n    train(net, 1)\n    schedule.step()',
      'IndexError',
      2,
    ],
    [
      'a count of steps that no round has',
      'EVERY, count = 500, 0\nfor epoch in range(100_000):\n    for step, (xb, yb) in enumerate(loader, start=1):\n        train(net, 1)\n        if step % EVERY == 0:\n            count += 1\n1 / count',
      'ZeroDivisionError',
      7,
    ],
  ])('%s', async (_name, cell, type, line) => {
    const { cells, ended } = await copyOf([cell], 120_000);
    expect(ended).toBe('done');
    expect(cells[0]).toMatchObject({ status: 'raised', type, line, doubt: null });
    expect(cells[0]!.clipped.length).toBeGreaterThan(0);
  });

  it('in a later cell of a rehearsal', async () => {
    const { cells } = await copyOf([training, 'x = 1', 'net(wide)'], 120_000);
    expect(cells.map(({ status }) => status)).toEqual(['finished', 'finished', 'raised']);
    expect(cells[0]).toMatchObject({ doubt: { code: expect.stringMatching(/cut/) } });
    expect(cells[2]).toMatchObject({ type: 'RuntimeError', doubt: null });
    expect(cells[2]!.skipped_ms).toBeGreaterThan(1_000);
  });
});

describe('what may come from the cutting is not told', () => {
  it.each([
    [
      'a word that a round in between stores',
      'history = {"loss": []}\nfor epoch in range(100_000):\n    history["loss"].append(train(net, 1))\n    if len(history["loss"]) == 50_000:\n        history["best"] = epoch\nhistory["best"]',
    ],
    [
      'a word that a round may put together',
      'rows = {}\nfor epoch in range(100_000):\n    if train(net, 1)[-1] < -1:\n        rows["_".join(["best", "round"])] = epoch\nrows["best_round"]',
    ],
    [
      'a file whose name a round may put together',
      'for epoch in range(100_000):\n    if train(net, 1)[-1] < -1:\n        torch.save(net.state_dict(), "best" + "-net.pt")\ntorch.load("best-net.pt")',
    ],
    [
      'a best that another branch lowers',
      'best, kept = float("inf"), None\nfor epoch in range(100_000):\n    score = -train(net, 1)[-1]\n    if epoch == 50_000:\n        best = -1e9\n    if score > best:\n        best, kept = score, net.state_dict()\nnet.load_state_dict(kept)',
    ],
    [
      'a kind of thing that a branch gives which no round went through',
      'best = []\nfor epoch in range(100_000):\n    loss = train(net, 1)[-1]\n    if loss < -1:\n        best = {"loss": loss}\nbest.keys()',
    ],
    [
      'what a function sets that such a branch calls',
      'class Kept:\n    def keep(self, loss):\n        if loss < -2:\n            self.loss = loss\nkept = Kept()\nfor epoch in range(100_000):\n    loss = train(net, 1)[-1]\n    if loss < -1:\n        kept.keep(loss)\nkept.loss',
    ],
    [
      'how many times such a branch is gone through',
      'lows = []\nfor epoch in range(100_000):\n    loss = train(net, 1)[-1]\n    if loss < -1:\n        lows.append(loss)\ntorch.tensor(lows).reshape(10, 10)',
    ],
    [
      'a refused value without a number: it may be about sizes',
      'at, losses = 0, []\nwhile at < 100_000:\n    losses += train(net, 1)\n    at += 1\n__import__("pandas").DataFrame({"round": range(100_000), "loss": losses})',
    ],
    [
      'a size that grows with the rounds, and that the message tells',
      'kept = torch.zeros(0)\nfor epoch in range(100_000):\n    if train(net, 1)[-1] > 0:\n        kept = torch.cat([kept, torch.zeros(1)])\nkept.reshape(50_000, 2)',
    ],
    [
      'an end that a loop comes to by what training computes',
      'at, done = 0, False\nfor epoch in range(100_000):\n    loss = train(net, 1)[-1]\nwhile not done:\n    at, done = at + 1, loss < 1e-9\n    if at > 3:\n        wide.missing',
    ],
    [
      'rates that training adds',
      'rates = [0.1, 0.1]\nschedule = torch.optim.lr_scheduler.LambdaLR(opt, lambda step: rates[step])\nfor epoch in range(100_000):\n    if train(net, 1)[-1] > 0:\n        rates.append(0.1)\n    schedule.step()',
    ],
    ['an assertion about what training computes', `${training}assert history[-1] < 1e-9`],
    [
      'a division by how many training chose',
      `${training}top = [one for one in history if one < 0]\nsum(history) / len(top)`,
    ],
    [
      'a file of a fold that comes later',
      'for epoch in range(100_000):\n    train(net, 1)\n    torch.save(net.state_dict(), f"epoch-{epoch}.pt")\ntorch.load("epoch-500.pt")',
    ],
    [
      'a file whose name another round chooses',
      'for epoch in range(100_000):\n    train(net, 1)\n    tag = "mid" if epoch == 50_000 else "end"\n    torch.save(net.state_dict(), f"{tag}.pt")\ntorch.load("mid.pt")',
    ],
    [
      'a file that is written where training went well',
      'losses = train(net, 100_000)\ntorch.save(net.state_dict(), "last.pt")\nif losses[-1] < 1e-9:\n    torch.save(net.state_dict(), "good.pt")\ntorch.load("good.pt")',
    ],
    [
      'what a function gives away that it keeps',
      'def kept(store=[]):\n    return store\nfor i in range(1_000_000):\n    kept().append(i)\n    time.sleep(0.001)\nkept()[999_999]',
    ],
    ['length of a list', `${training}history[99_999]`],
    [
      'length of a list that a comprehension makes',
      'log = [train(net, 1) for _ in range(100_000)]\nlog[99_999]',
    ],
    ['length of an array', `${training}torch.zeros(100_000).numpy() + history`],
    [
      'length of a list that some rounds fill',
      'every = []\nfor epoch in range(100_000):\n    train(net, 1)\n    if epoch % 5 == 0:\n        every.append(1.0)\ntorch.zeros(20_000) + torch.tensor(every)',
    ],
    ['length of a list under another name', `${training}alias["losses"][99_999]`],
    [
      'a file of a round that was left out',
      'import os\nfor i in range(1_000_000):\n    open(f"round-{i}.txt", "w").close()\n    time.sleep(0.001)\n    if i > 2:\n        os.remove(f"round-{i - 2}.txt")',
    ],
    [
      'an attribute that a later round sets',
      'class Average:\n    def __init__(self):\n        self.n = 0\n    def update(self, model):\n        self.n += 1\n        if self.n == 90_000:\n            self.model = model\naverage = Average()\nfor epoch in range(100_000):\n    train(net, 1)\n    average.update(net)\naverage.model(X)',
    ],
    ['what only some rounds bind', `${training}best + 1`],
    ['a branch that the loop decides', `${training}if len(history) < 100_000:\n    wide.missing`],
    ['result of a function', 'losses = train(net, 100_000)\nlosses[99_999]'],
    [
      'a file that some round may write',
      'for i in range(1_000_000):\n    time.sleep(0.001)\n    if time.time() > 1e12:\n        open("late.txt", "w").close()\nopen("late.txt")',
    ],
    [
      'a list that a function of the notebook fills',
      'kept = []\ndef keep(x):\n    kept.append(x)\nfor i in range(1_000_000):\n    keep(i)\n    time.sleep(0.001)\nkept[999_999]',
    ],
    [
      'what a class keeps',
      'class Kept:\n    all = []\nfor i in range(1_000_000):\n    Kept.all.append(i)\n    time.sleep(0.001)\nKept.all[999_999]',
    ],
    [
      'a loop that would have been left',
      `${training.replace('best = loss.item()', 'break')}else:\n    wide.missing`,
    ],
    [
      'a round that a loop which is left does not reach',
      'for i in range(1_000_000):\n    time.sleep(0.001)\n    if i == 3_000:\n        break\n    if i == 999_999:\n        wide.missing',
    ],
    [
      'a fit that does not like the number of rounds',
      'from sklearn.manifold import TSNE\nTSNE(max_iter=1_000_000, n_iter_without_progress=1_000_000).fit_transform(X.numpy())',
    ],
    [
      'what only trained numbers have',
      'import numpy as np\nm = -np.eye(3)\nfor i in range(1_000_000):\n    m += np.eye(3) * 1e-5\n    time.sleep(0.001)\nnp.linalg.cholesky(m)',
    ],
    [
      'a schedule that early rounds alone move on',
      'schedule = torch.optim.lr_scheduler.OneCycleLR(opt, 0.1, total_steps=50)\nfor epoch in range(100_000):\n    train(net, 1)\n    if epoch < 50:\n        schedule.step()',
    ],
    [
      'a setting that training decides about',
      'losses = train(net, 100_000)\nsmooth = losses[-1] < -1\nfor epoch in range(100_000):\n    train(net, 1)\n    if smooth:\n        average = net\naverage(X)',
    ],
    [
      'a count of steps that later rounds have',
      'rows, count = 10, 0\nfor epoch in range(100_000):\n    for step in range(rows):\n        train(net, 1)\n        if step == 5_000:\n            count += 1\n    if train(net, 1)[-1] < -1:\n        rows = 10_000\n1 / count',
    ],
    ['an exception of the user', `${training}raise TypeError("never mind")`],
    ['nothing raised at all', `${training}print(len(history))`],
  ])('%s', { timeout: 300_000 }, async (_name, cell) => {
    expect(await sentAhead(kernel, cell)).toMatchObject({ doubt: { code: expect.stringMatching(/cut/) } });
  });

  it('and the whole run goes on to its end', async () => {
    const copy = await copyOf([`${training}history[99_999]`], 2_500);
    expect(copy).toMatchObject({ ended: 'time', cells: [] });
    for (const told of copy.rehearsed)
      expect(told).toMatchObject({ doubt: { code: expect.stringMatching(/cut/) } });
  });
});

it('leaves short cells to the first copy', async () => {
  const { cells } = await copyOf(
    ['total = 0\nfor i in range(10):\n    total += i\nassert total == 45'],
    60_000,
  );
  expect(cells[0]).toMatchObject({ status: 'finished', doubt: null, clipped: [] });
});

it('leaves the kernel as it was', async () => {
  expect(await run(kernel, 'print(net[0].weight.sum().item() == weights, train.__code__.co_names[0])')).toBe(
    'True range\n',
  );
  expect(await run(kernel, 'print("__grus_loop__" in dir(__builtins__), time.sleep.__name__)')).toBe(
    'False sleep\n',
  );
});
