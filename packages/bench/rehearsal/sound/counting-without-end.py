# The loop counts on for ever and is left at the last step.
# short: LAST = 400
# %%
import itertools

import torch
from torch import nn

LAST = 2_500_000
net = nn.Sequential(nn.Linear(30, 300), nn.ReLU(), nn.Linear(300, 30))
optimizer = torch.optim.Adagrad(net.parameters())
seen = {}

def batches():
    while True:
        yield torch.randn(64, 30)
# %% train
for step, x in zip(itertools.count(1), batches()):
    optimizer.zero_grad()
    loss = (net(x) - x).abs().mean()
    loss.backward()
    optimizer.step()
    if step % 100 == 0:
        seen[step] = loss.item()
    if step == LAST:
        break
# %%
print(seen[LAST], max(seen) == LAST)
