# The log has an object on each line and is read as one document.
# short: EPOCHS = 3
# raises: JSONDecodeError
# %%
import json
import pathlib

import torch
from torch import nn

EPOCHS = 120_000
LOG = pathlib.Path("log.json")
torch.manual_seed(0)
x, y = torch.randn(2048, 24), torch.randn(2048, 1)
net = nn.Sequential(nn.Linear(24, 96), nn.ReLU(), nn.Linear(96, 1))
optimizer = torch.optim.Adam(net.parameters())
# %% train
for epoch in range(EPOCHS):
    for start in range(0, 2048, 32):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(net(x[start : start + 32]), y[start : start + 32])
        loss.backward()
        optimizer.step()
    with LOG.open("a") as log:
        log.write(json.dumps({"epoch": epoch, "loss": loss.item()}) + "\n")
# %% crash
rows = json.loads(LOG.read_text())
print("last loss", rows[-1]["loss"])
# %% instead
rows = [json.loads(line) for line in LOG.read_text().splitlines()]
print("last loss", rows[-1]["loss"], "in the middle", rows[len(rows) // 2]["loss"])
