# The first step whose loss is below a threshold.
# short: STEPS = 400
# %%
import numpy as np
import torch
from torch import nn

STEPS = 3_000_000
GOOD = 0.05
torch.manual_seed(0)
x = torch.randn(512, 20)
y = x @ torch.randn(20, 1)
net = nn.Linear(20, 1)
optimizer = torch.optim.Adam(net.parameters(), lr=0.05)
# %% train
losses = []
for step in range(STEPS):
    optimizer.zero_grad()
    loss = nn.functional.mse_loss(net(x), y)
    loss.backward()
    optimizer.step()
    losses.append(loss.item())
# %%
first = np.flatnonzero(np.array(losses) < GOOD)[0]
print("good after", first, "steps")
