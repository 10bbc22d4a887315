# The history of a run is written as JSON; it holds numbers of NumPy.
# short: EPOCHS = 2
# raises: TypeError
# %%
import json

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
EPOCHS = 12_000
# %%
x = torch.randn(12800, 64)
y = (x[:, :8].sum(dim=1) > 0).long()
loader = DataLoader(TensorDataset(x, y), batch_size=64, shuffle=True)
model = nn.Sequential(nn.Linear(64, 256), nn.ReLU(), nn.Linear(256, 2))
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
loss_fn = nn.CrossEntropyLoss()
# %% train
history = {"loss": [], "epochs": EPOCHS}
for epoch in range(EPOCHS):
    losses = []
    for xb, yb in loader:
        optimizer.zero_grad()
        loss = loss_fn(model(xb), yb)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    history["loss"].append(np.float32(np.mean(losses)))
# %% crash
with open("history.json", "w") as file:
    json.dump(history, file)
# %% instead
with open("history.json", "w") as file:
    json.dump({"loss": [float(value) for value in history["loss"]], "epochs": EPOCHS}, file)
