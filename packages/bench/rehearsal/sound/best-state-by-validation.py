# The best weights are kept once validation improves after a warm-up.
# short: EPOCHS = 60
# %%
import copy

import torch
from torch import nn

EPOCHS = 30_000
WARM_UP = 50
torch.manual_seed(4)
x, y = torch.randn(2000, 16), torch.randn(2000, 1)
x_val, y_val = torch.randn(200, 16), torch.randn(200, 1)
net = nn.Sequential(nn.Linear(16, 64), nn.Tanh(), nn.Linear(64, 1))
optimizer = torch.optim.Adam(net.parameters())
# %% train
best_state, best = None, float("inf")
for epoch in range(EPOCHS):
    for xb, yb in zip(x.split(40), y.split(40)):
        optimizer.zero_grad()
        nn.functional.mse_loss(net(xb), yb).backward()
        optimizer.step()
    with torch.no_grad():
        value = nn.functional.mse_loss(net(x_val), y_val).item()
    if epoch >= WARM_UP and value < best:
        best, best_state = value, copy.deepcopy(net.state_dict())
# %%
net.load_state_dict(best_state)
print(round(best, 3), len(best_state.keys()))
