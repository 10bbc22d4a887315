# Averaged weights, a search for the threshold, and a file for the results.
# short: EPOCHS = 4
# %%
import json
from pathlib import Path

import torch
from torch import nn
from torch.optim.swa_utils import AveragedModel

EPOCHS = 6000
SWA_START = EPOCHS * 3 // 4
x = torch.randn(6400, 18)
y = (x[:, 0] + x[:, 1] > 0).float()
net = nn.Sequential(nn.Linear(18, 128), nn.ReLU(), nn.Linear(128, 1))
averaged = AveragedModel(net)
optimizer = torch.optim.SGD(net.parameters(), lr=0.05)
# %% train
for epoch in range(EPOCHS):
    for xb, yb in zip(x.split(64), y.split(64)):
        optimizer.zero_grad()
        nn.functional.binary_cross_entropy_with_logits(net(xb).squeeze(1), yb).backward()
        optimizer.step()
    if epoch >= SWA_START:
        averaged.update_parameters(net)
# %%
if int(averaged.n_averaged) == 0:
    raise ValueError("nothing was averaged")
with torch.no_grad():
    chance = averaged(x).squeeze(1).sigmoid()
found = {str(t): float(((chance > t) == y.bool()).float().mean()) for t in (0.3, 0.5, 0.7)}
Path("results").mkdir(exist_ok=True)
Path("results/found.json").write_text(json.dumps(found))
print(json.loads(Path("results/found.json").read_text())["0.5"])
