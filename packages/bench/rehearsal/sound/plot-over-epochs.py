# The curve is plotted over the number of epochs that was asked for.
# short: EPOCHS = 3
# %%
import matplotlib.pyplot as plt
import torch
from torch import nn

EPOCHS = 9000
x, y = torch.randn(6400, 32), torch.randn(6400, 1)
model = nn.Sequential(nn.Linear(32, 128), nn.ReLU(), nn.Linear(128, 1))
optimizer = torch.optim.Adam(model.parameters())
# %% train
losses = []
for epoch in range(EPOCHS):
    total = 0.0
    for xb, yb in zip(x.split(64), y.split(64)):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(xb), yb)
        loss.backward()
        optimizer.step()
        total += loss.item()
    losses.append(total / 100)
# %%
plt.plot(range(EPOCHS), losses)
plt.xlabel("epoch")
