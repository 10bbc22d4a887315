# Training ends by patience; the best epoch is looked up in the lists.
# short: EPOCHS = 40
# %%
import pandas as pd
import torch
from torch import nn

EPOCHS = 40_000
PATIENCE = 30
torch.manual_seed(1)
x, y = torch.randn(3200, 12), torch.randn(3200, 1)
net = nn.Sequential(nn.Linear(12, 64), nn.ReLU(), nn.Linear(64, 1))
optimizer = torch.optim.Adam(net.parameters())
# %% train
train_losses, valid_losses = [], []
best, waited = float("inf"), 0
for epoch in range(EPOCHS):
    for xb, yb in zip(x[:2800].split(40), y[:2800].split(40)):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(net(xb), yb)
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        valid = nn.functional.mse_loss(net(x[2800:]), y[2800:]).item()
    train_losses.append(loss.item())
    valid_losses.append(valid)
    if valid < best:
        best, best_epoch, waited = valid, epoch, 0
    else:
        waited += 1
    if waited >= EPOCHS // 2 + PATIENCE:
        break
# %%
table = pd.DataFrame({"train": train_losses, "valid": valid_losses}, index=range(len(valid_losses)))
print(table.loc[best_epoch], train_losses[best_epoch])
