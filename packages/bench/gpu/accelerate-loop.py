# %% setup
import torch, torch.nn as nn, torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset
from accelerate import Accelerator
from accelerate.utils import set_seed

# %% setup
set_seed(9)
accelerator = Accelerator()
model = nn.Sequential(nn.Linear(12, 24), nn.GELU(), nn.Linear(24, 4))
opt = torch.optim.AdamW(model.parameters(), 1e-3)
data = TensorDataset(torch.randn(80, 12), torch.randint(0, 4, (80,)))
raw = DataLoader(data, batch_size=16)
model, opt, loader = accelerator.prepare(model, opt, DataLoader(data, batch_size=16))
priors = torch.full((4,), 0.25)
probe = torch.randn(5, 12)

# %% setup
for x, y in loader:
    loss = F.cross_entropy(model(x), y)
    accelerator.backward(loss); opt.step(); opt.zero_grad()

# %% fine
for x, y in loader:
    with accelerator.accumulate(model):
        loss = F.cross_entropy(model(x), y)
        accelerator.backward(loss); opt.step(); opt.zero_grad()
print(loss.item())

# %% crash
for x, y in raw:
    loss = F.cross_entropy(model(x), y)

# %% fine
for x, y in raw:
    loss = F.cross_entropy(model(x.to(accelerator.device)), y.to(accelerator.device))

# %% crash
for x, y in loader:
    out = model(x) + priors.log()

# %% fine
for x, y in loader:
    out = model(x) + priors.log().to(accelerator.device)

# %% crash
seen = []
for x, y in loader:
    seen.extend(accelerator.gather_for_metrics(model(x).argmax(1)).numpy())

# %% fine
seen = []
for x, y in loader:
    seen.extend(accelerator.gather_for_metrics(model(x).argmax(1)).cpu().numpy())
print(len(seen))

# %% crash
out = accelerator.unwrap_model(model)(probe)

# %% fine
out = accelerator.unwrap_model(model)(probe.to(accelerator.device))

# %% crash
extra = accelerator.prepare(nn.Linear(4, 2))
out = extra(model(x).detach().cpu())

# %% fine
extra = accelerator.prepare(nn.Linear(4, 2))
out = extra(model(x).detach())

# %% crash
accelerator.clip_grad_norm_(model.parameters, 1.0)

# %% fine
accelerator.clip_grad_norm_(model.parameters(), 1.0)

# %% crash
loss = F.cross_entropy(model(x), y).item()
accelerator.backward(loss)
