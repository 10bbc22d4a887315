# %% setup
import torch, torch.nn as nn, torch.nn.functional as F
import numpy as np, pandas as pd
from torch.utils.data import DataLoader, TensorDataset

# %% setup
torch.manual_seed(4); rng = np.random.default_rng(4)
device = 'cuda'
frame = pd.DataFrame({
    'city': rng.integers(0, 12, 400), 'plan': rng.choice(['a', 'b', 'c'], 400),
    'age': rng.normal(40, 10, 400), 'spend': rng.exponential(30, 400), 'left': rng.integers(0, 2, 400)})
codes = torch.tensor(np.stack([frame['city'], frame['plan'].astype('category').cat.codes], 1).astype('int64'))
numbers = torch.tensor(frame[['age', 'spend']].to_numpy(), dtype=torch.float32)
target = torch.tensor(frame['left'].to_numpy())
class Mixed(nn.Module):
    def __init__(self, sizes=(12, 3), dim=4):
        super().__init__()
        self.tables = [nn.Embedding(n, dim) for n in sizes]
        self.listed = nn.ModuleList([nn.Embedding(n, dim) for n in sizes])
        self.norm = nn.BatchNorm1d(2)
        self.mlp = nn.Sequential(nn.Linear(dim * 2 + 2, 16), nn.ReLU(), nn.Linear(16, 1))
    def forward(self, codes, numbers, tables=None):
        tables = tables or self.listed
        parts = [table(codes[:, i]) for i, table in enumerate(tables)]
        return self.mlp(torch.cat(parts + [self.norm(numbers)], 1))
net = Mixed().to(device)
loader = DataLoader(TensorDataset(codes, numbers, target), batch_size=64)
pos_weight = torch.tensor([1.5])
cg, ng, tg = codes.to(device), numbers.to(device), target.to(device)
opt = torch.optim.Adam(net.parameters(), 1e-2)

# %% setup
F.binary_cross_entropy_with_logits(net(cg, ng).squeeze(1), tg.float()).backward()

# %% fine
for c, n, t in loader:
    out = net(c.to(device), n.to(device)).squeeze(1)
    loss = F.binary_cross_entropy_with_logits(out, t.float().to(device))
    opt.zero_grad(); loss.backward(); opt.step()
print(loss.item())

# %% crash
out = net(cg, ng, net.tables)

# %% fine
out = net(cg, ng, [t.to(device) for t in net.tables])

# %% crash
loss = F.binary_cross_entropy_with_logits(net(cg, ng), tg.float())

# %% crash
loss = F.binary_cross_entropy(net(cg, ng).squeeze(1).sigmoid(), tg)

# %% fine
loss = F.binary_cross_entropy(net(cg, ng).squeeze(1).sigmoid(), tg.float())
print(loss.item())

# %% crash
crit = nn.BCEWithLogitsLoss(pos_weight=torch.tensor([1.5, 2.0]))
loss = crit(net(cg, ng).squeeze(1), tg.float())

# %% fine
crit = nn.BCEWithLogitsLoss(pos_weight=pos_weight.to(device))
loss = crit(net(cg, ng).squeeze(1), tg.float())

# %% crash
doubles = torch.from_numpy(frame[['age', 'spend']].to_numpy()).to(device)
out = net.mlp[0](torch.cat([doubles] * 5, 1))

# %% fine
doubles = torch.from_numpy(frame[['age', 'spend']].to_numpy()).to(device)
out = net.mlp[0](torch.cat([doubles] * 5, 1).float())

# %% crash
frame['score'] = net(cg, ng).squeeze(1).sigmoid()

# %% fine
with torch.no_grad():
    frame['score'] = net(cg, ng).squeeze(1).sigmoid().cpu().numpy()
print(frame.groupby('plan')['score'].mean())

# %% crash
from sklearn.metrics import roc_auc_score
auc = roc_auc_score(tg, frame['score'])

# %% fine
from sklearn.metrics import roc_auc_score
auc = roc_auc_score(tg.cpu(), frame['score'])
print(auc)

# %% crash
mean, std = numbers.mean(0), numbers.std(0)
scaled = (ng - mean) / std

# %% fine
mean, std = ng.mean(0), ng.std(0)
scaled = (ng - mean) / std

# %% crash
out = net(cg.float(), ng)

# %% crash
single = net(cg[:1], ng[:1])

# %% fine
net.eval()
single = net(cg[:1], ng[:1])
net.train()

# %% crash
importance = net.mlp[0].weight.grad.abs().mean(0)
top = pd.Series(importance, index=['c0', 'c1']).sort_values()

# %% fine
importance = net.mlp[0].weight.grad.abs().mean(0)
top = pd.Series(importance.cpu().numpy()).sort_values()
print(top.iloc[-1])

# %% crash
unseen = torch.tensor([[3, 1], [15, 2]], device=device)
out = net(unseen, ng[:2])
print(out.tolist())
