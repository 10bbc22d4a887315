# Weights are averaged over the last quarter of the run.
# short: EPOCHS = 8
# %%
import torch
from torch import nn

EPOCHS = 8000
x, y = torch.randn(6400, 20), torch.randn(6400, 1)
net = nn.Sequential(nn.Linear(20, 100), nn.ReLU(), nn.Linear(100, 1))
optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
averaged, count = None, 0
# %% train
for epoch in range(EPOCHS):
    for xb, yb in zip(x.split(64), y.split(64)):
        optimizer.zero_grad()
        nn.functional.mse_loss(net(xb), yb).backward()
        optimizer.step()
    if EPOCHS * 3 // 4 <= epoch < EPOCHS - 1:
        now = [value.detach().clone() for value in net.parameters()]
        averaged = now if averaged is None else [a + b for a, b in zip(averaged, now)]
        count += 1
# %%
with torch.no_grad():
    for value, total in zip(net.parameters(), averaged):
        value.copy_(total / count)
print(1 / count, nn.functional.mse_loss(net(x), y).item())
