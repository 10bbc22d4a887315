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

# %% restart

# %% setup
class Pairs(Dataset):
    def __len__(self): return 40
    def __getitem__(self, i): return {'x': X[i], 'label': y[i], 'name': f's{i}'}
loader = DataLoader(Pairs(), batch_size=16, shuffle=True, pin_memory=True)
workers = DataLoader(Pairs(), batch_size=16, num_workers=2)
def to(batch, where):
    return {k: v.to(where) if torch.is_tensor(v) else v for k, v in batch.items()}
def evaluate(m, dl):
    m.eval(); hits = total = 0
    with torch.no_grad():
        for b in dl:
            b = to(b, next(m.parameters()).device)
            hits += (m(b['x']).argmax(1) == b['label']).sum()
            total += len(b['label'])
    return (hits / total).item()

# %% fine
print(evaluate(model, loader))

# %% fine
print(evaluate(model, workers))

# %% fine
for epoch in range(2):
    model.train()
    running = 0.0
    for b in loader:
        b = to(b, device)
        with torch.autocast('cuda', dtype=torch.bfloat16):
            l = F.cross_entropy(model(b['x']), b['label'])
        opt.zero_grad(); l.backward(); opt.step()
        running += l.item() * len(b['label'])
    print(epoch, running / 40)

# %% fine
torch.save({'model': model.state_dict(), 'opt': opt.state_dict(), 'epoch': 1}, 'c.pt')
ck = torch.load('c.pt', map_location=device)
model.load_state_dict(ck['model']); opt.load_state_dict(ck['opt'])
model(Xg)

# %% fine
torch.save(model, 'whole.pt')
back = torch.load('whole.pt', weights_only=False)
print(back.eval()(Xg).shape)

# %% fine
cpu_model = copy.deepcopy(model).cpu()
print(cpu_model(X).shape)

# %% fine
m = nn.Module()
m.a = nn.Linear(20, 8).cuda(); m.b = nn.Linear(8, 2)
out = m.b(m.a(Xg).cpu())

# %% fine
from torch.optim.swa_utils import AveragedModel, update_bn
swa = AveragedModel(model)
swa.update_parameters(model)
update_bn([Xg[:50], Xg[50:100]], swa)

# %% fine
total = sum(p.numel() for p in model.parameters())
size = sum(p.element_size() * p.nelement() for p in model.parameters()) / 1e6
print(total, size, {p.device for p in model.parameters()})

# %% fine
random.seed(1); np.random.seed(1); torch.manual_seed(1); torch.cuda.manual_seed_all(1)
torch.backends.cudnn.benchmark = False
torch.use_deterministic_algorithms(False)

# %% fine
try:
    bs = 64
    while True:
        model(torch.randn(bs, 20, device=device))
        bs *= 2
        if bs > 1024:
            break
except torch.cuda.OutOfMemoryError:
    bs //= 2

# %% fine
import torchmetrics
metric = torchmetrics.Accuracy(task='multiclass', num_classes=5).to(device)
metric.update(model(Xg), yg)
print(metric.compute().item())

# %% fine
from sklearn.metrics import f1_score
print(f1_score(y, model(Xg).argmax(1).cpu(), average='macro'))
