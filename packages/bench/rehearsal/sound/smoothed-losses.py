# A moving mean with a fixed window over the losses of the steps.
# short: STEPS = 600
# %%
import numpy as np
import torch
from torch import nn

STEPS = 2_000_000
WINDOW = 500
net = nn.Sequential(nn.Linear(50, 200), nn.ReLU(), nn.Linear(200, 1))
optimizer = torch.optim.Adam(net.parameters())
# %% train
losses = []
for step in range(STEPS):
    x = torch.randn(128, 50)
    loss = nn.functional.mse_loss(net(x), x[:, :1])
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    losses.append(loss.item())
# %%
smooth = np.convolve(losses, np.ones(WINDOW) / WINDOW, mode="valid")
assert smooth.shape == (STEPS - WINDOW + 1,)
print(smooth[0], smooth[-1], losses[STEPS // 2])
