# A loop ends by patience; then whole numbers are averaged.
# short: MOST = 300
# raises: RuntimeError
# %%
import torch
from torch import nn

MOST = 6_000_000
PATIENCE = MOST
torch.manual_seed(2)
a, b = torch.randn(256, 100), torch.randn(256, 1)
model = nn.Sequential(nn.Linear(100, 200), nn.SiLU(), nn.Linear(200, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=1e-3, momentum=0.9)
# %% train
step, waited, best = 0, 0, float("inf")
improved_at = [0]
while waited < PATIENCE and step < MOST:
    optimizer.zero_grad()
    loss = nn.functional.l1_loss(model(a), b)
    loss.backward()
    optimizer.step()
    step += 1
    waited += 1
    if loss.item() < best - 1e-4:
        best, waited = loss.item(), 0
        improved_at.append(step)
# %% crash
print("improved on average at step", torch.tensor(improved_at).mean())
# %% instead
print("improved on average at step", torch.tensor(improved_at).float().mean())
