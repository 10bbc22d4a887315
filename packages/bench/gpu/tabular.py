# %% setup
import torch, torch.nn as nn, torch.nn.functional as F, math, copy, random
from torch.utils.data import DataLoader, TensorDataset, Dataset
import numpy as np

# %% setup
torch.manual_seed(0)
device = 'cuda' if torch.cuda.is_available() else 'cpu'
model = nn.Sequential(nn.Linear(20, 32), nn.BatchNorm1d(32), nn.ReLU(), nn.Dropout(0.2), nn.Linear(32, 5)).to(device)
X = torch.randn(300, 20); y = torch.randint(0, 5, (300,))
Xg, yg = X.to(device), y.to(device)
opt = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
ema = copy.deepcopy(model)
weights = torch.tensor([1., 2., 1., 1., 3.], device=device)
loss = F.cross_entropy(model(Xg), yg, weight=weights); loss.backward(); opt.step()

# %% fine
with torch.no_grad():
    for e, p in zip(ema.parameters(), model.parameters()):
        e.mul_(0.99).add_(p, alpha=0.01)
    for e, p in zip(ema.buffers(), model.buffers()):
        e.copy_(p)

# %% fine
crit = nn.CrossEntropyLoss(weight=weights, label_smoothing=0.1)
for i in range(0, 300, 64):
    out = model(Xg[i:i+64])
    l = crit(out, yg[i:i+64]) / 4
    l.backward()
opt.step(); opt.zero_grad(set_to_none=True)

# %% fine
perm = torch.randperm(len(Xg))
xs = Xg[perm[:64]]
assert xs.is_cuda

# %% fine
mask = y > 2
sub = Xg[mask]
print(sub.shape, sub.device)

# %% fine
acc = (model(Xg).argmax(1).cpu() == y).float().mean().item()
if acc < 0:
    raise ValueError('impossible')

# %% fine
preds = []
model.eval()
with torch.inference_mode():
    for xb in torch.split(Xg, 100):
        preds.append(model(xb).softmax(-1).cpu())
preds = torch.cat(preds).numpy()
assert preds.shape == (300, 5)

# %% fine
buf = torch.zeros(300, 5)
buf[:100] = model(Xg[:100]).detach()
buf.copy_(model(Xg).detach())

# %% fine
hist = torch.bincount(yg, minlength=5).cpu().tolist()
w = 1.0 / torch.tensor(hist, dtype=torch.float)
w = w.to(device)
print((w * weights).sum().item())

# %% fine
class Scale(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, k):
        ctx.k = k
        return x * k
    @staticmethod
    def backward(ctx, g):
        return g * ctx.k, None
z = Scale.apply(model(Xg), 2.0)
l = F.cross_entropy(z, yg)
l.backward()

# %% fine
feats = {}
h = model[0].register_forward_hook(lambda m, i, o: feats.update(x=o.detach()))
model(Xg)
h.remove()
print(feats['x'].cpu().numpy().mean())

# %% fine
g = torch.autograd.grad(F.cross_entropy(model(Xg), yg), list(model.parameters()))
norm = torch.sqrt(sum((t ** 2).sum() for t in g))
scaled = [t / norm for t in g]
for p, t in zip(model.parameters(), scaled):
    p.data.add_(t, alpha=-0.01)

# %% fine
jac = torch.func.vmap(torch.func.jacrev(lambda v: (v ** 2).sum()))(Xg[:4])
print(jac.shape, (jac + Xg[:4]).device)
