# A search for the learning rate; both ends of the curve are thrown away.
# short: STEPS = 200
# %%
import torch
from torch import nn

STEPS = 2_000_000
x, y = torch.randn(2000, 30), torch.randn(2000, 1)
net = nn.Sequential(nn.Linear(30, 200), nn.ReLU(), nn.Linear(200, 1))
optimizer = torch.optim.SGD(net.parameters(), lr=1e-6)
factor = (1e-2 / 1e-6) ** (1 / STEPS)
# %% train
rates, losses = [], []
for step in range(STEPS):
    optimizer.zero_grad()
    loss = nn.functional.mse_loss(net(x[:200]), y[:200])
    loss.backward()
    optimizer.step()
    rates.append(optimizer.param_groups[0]["lr"])
    losses.append(loss.item())
    for group in optimizer.param_groups:
        group["lr"] *= factor
# %%
middle = losses[100:-50]
print("best rate", rates[100 + middle.index(min(middle))])
