# Predictions of folds that differ in size are stacked.
# short: EPOCHS = 2
# raises: ValueError
# %%
import numpy as np
import torch
from sklearn.model_selection import KFold
from torch import nn

EPOCHS = 30_000
torch.manual_seed(0)
x = np.random.default_rng(0).normal(size=(1003, 12)).astype("float32")
y = x[:, :3].sum(axis=1)


def fitted(rows):
    net = nn.Sequential(nn.Linear(12, 64), nn.Tanh(), nn.Linear(64, 1))
    optimizer = torch.optim.Adam(net.parameters())
    inputs, targets = torch.from_numpy(x[rows]), torch.from_numpy(y[rows])
    for _ in range(EPOCHS):
        for part in torch.randperm(len(inputs)).split(16):
            loss = nn.functional.mse_loss(net(inputs[part]).squeeze(1), targets[part])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    return net
# %% crash
predictions = []
for rows, held_out in KFold(5).split(x):
    net = fitted(rows)
    predictions.append(net(torch.from_numpy(x[held_out])).detach().squeeze(1).numpy())
print(np.stack(predictions).mean())
# %% instead
predictions = []
for rows, held_out in KFold(5).split(x):
    net = fitted(rows)
    predictions.append(net(torch.from_numpy(x[held_out])).detach().squeeze(1).numpy())
print(np.concatenate(predictions).mean())
