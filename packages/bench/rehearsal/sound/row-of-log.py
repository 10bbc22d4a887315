# The row of a late epoch in a log that every epoch adds to.
# short: EPOCHS = 3
# %%
import csv

import torch
from torch import nn
EPOCHS = 60_000
x, y = torch.randn(512, 24), torch.randn(512, 1)
net = nn.Sequential(nn.Linear(24, 96), nn.ReLU(), nn.Linear(96, 1))
opt = torch.optim.Adam(net.parameters())
path = "log.csv"
# %% train
for epoch in range(EPOCHS):
    for i in range(0, 512, 8):
        opt.zero_grad()
        loss = ((net(x[i:i+8]) - y[i:i+8])**2).mean()
        loss.backward()
        opt.step()
    with open(path, "a") as f:
        f.write(f"{epoch},{loss.item()}\n")
# %%
rows = list(csv.reader(open(path)))
print(rows[5000])
