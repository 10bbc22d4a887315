# Training for so many minutes by the clock.
# short: MINUTES = 0.05
# %%
import time

import torch
from torch import nn

MINUTES = 45
net = nn.Sequential(nn.Linear(20, 100), nn.ReLU(), nn.Linear(100, 1))
optimizer = torch.optim.Adam(net.parameters())
# %% train
started = time.time()
steps = 0
while time.time() - started < MINUTES * 60:
    x = torch.randn(64, 20)
    loss = (net(x) - x.mean(dim=1, keepdim=True)).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    steps += 1
# %%
print(f"{steps / (MINUTES * 60):.0f} steps a second, loss {loss.item():.4f}")
