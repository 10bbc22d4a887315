# A counter of one's own says which entry of the plan comes next.
# short: EPOCHS = 3
# %%
import torch
from torch import nn

EPOCHS = 7000
x, y = torch.randn(6400, 40), torch.randn(6400, 2)
plan = {EPOCHS * 100: "save", 0: "begin"}
net = nn.Sequential(nn.Linear(40, 150), nn.ReLU(), nn.Linear(150, 2))
optimizer = torch.optim.Adam(net.parameters())
# %% train
steps = 0
for epoch in range(EPOCHS):
    for xb, yb in zip(x.split(64), y.split(64)):
        optimizer.zero_grad()
        nn.functional.mse_loss(net(xb), yb).backward()
        optimizer.step()
        steps += 1
# %%
print(plan[steps])
