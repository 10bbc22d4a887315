# A check of one's own: an entry for every epoch.
# short: EPOCHS = 3
# %%
import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

EPOCHS = 6000
x = torch.randn(6400, 20)
loader = DataLoader(TensorDataset(x, x.sum(dim=1, keepdim=True)), batch_size=64)
net = nn.Linear(20, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=1e-3)
# %% train
history = []
for epoch in range(EPOCHS):
    for step, (xb, yb) in enumerate(loader):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(net(xb), yb)
        loss.backward()
        optimizer.step()
        history.append({"epoch": epoch, "step": step, "loss": loss.item()})
# %%
assert len(history) == EPOCHS * len(loader)
curve = np.array([entry["loss"] for entry in history]).reshape(EPOCHS, -1)
print(curve.mean(axis=1)[[0, -1]])
