# What to do next is looked up by the last epoch of the schedule.
# short: EPOCHS = 5
# %%
import torch
from torch import nn

EPOCHS = 8000
AFTERWARDS = {EPOCHS: "evaluate", EPOCHS + 1: "stop"}
x, y = torch.randn(6400, 25), torch.randn(6400, 1)
net = nn.Sequential(nn.Linear(25, 120), nn.ReLU(), nn.Linear(120, 1))
optimizer = torch.optim.AdamW(net.parameters())
schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=EPOCHS)
# %% train
for epoch in range(EPOCHS):
    for xb, yb in zip(x.split(64), y.split(64)):
        optimizer.zero_grad()
        nn.functional.mse_loss(net(xb), yb).backward()
        optimizer.step()
    schedule.step()
# %%
print(AFTERWARDS[schedule.last_epoch])
