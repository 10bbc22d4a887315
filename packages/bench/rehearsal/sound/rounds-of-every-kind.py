# What rounds do now and then builds on what other rounds left behind.
# short: EPOCHS = 100
# %%
import copy

import torch
from torch import nn

EPOCHS = 80_000
WARM = EPOCHS // 10
EVERY = EPOCHS // 20
torch.manual_seed(0)
x, y = torch.randn(2048, 24), torch.randn(2048, 1)
net = nn.Sequential(nn.Linear(24, 96), nn.ReLU(), nn.Linear(96, 1))
optimizer = torch.optim.Adam(net.parameters())
reference, kept, losses, best = None, {}, [], None
# %% train
for epoch in range(EPOCHS):
    for start in range(0, 2048, 64):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(net(x[start : start + 64]), y[start : start + 64])
        loss.backward()
        optimizer.step()
    losses.append(loss.item())
    if epoch == WARM:
        reference = copy.deepcopy(net)
    if epoch >= WARM and (best is None or losses[-1] < best[0]):
        best = (losses[-1], epoch)
    if epoch % EVERY == 0:
        kept[epoch] = losses[-1]
    if epoch > WARM and epoch % EVERY == 0:
        change = kept[epoch] - kept[epoch - EVERY]
        apart = (reference(x) - net(x)).abs().mean().item()
        print(epoch, change, apart, losses[epoch - EVERY // 2], best[1])
# %%
middle = sorted(kept)[len(kept) // 2]
print(len(kept), kept[middle], losses[middle], best[0])
