# The entry of a certain step is searched in the log.
# short: STEPS = 600
# %%
import torch
from torch import nn

STEPS = 150_000
WANTED = STEPS // 2
net = nn.Sequential(nn.Linear(60, 600), nn.ReLU(), nn.Linear(600, 600), nn.ReLU(), nn.Linear(600, 1))
optimizer = torch.optim.Adam(net.parameters())

class Log:
    def __init__(self):
        self.entries = []

    def add(self, **entry):
        self.entries.append(entry)

log = Log()
# %% train
for step in range(STEPS):
    x = torch.randn(256, 60)
    loss = nn.functional.mse_loss(net(x), x[:, :1])
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    log.add(step=step, loss=loss.item())
# %%
entry = next(entry for entry in log.entries if entry["step"] == WANTED)
print(entry, [e["step"] for e in log.entries].index(STEPS - 1))
