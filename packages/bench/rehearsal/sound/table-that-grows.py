# A row is added to a table in every epoch; late rows are read by their number.
# short: EPOCHS = 20
# %%
import pandas as pd
import torch
from torch import nn

EPOCHS = 8000
x, y = torch.randn(6400, 15), torch.randn(6400, 1)
net = nn.Sequential(nn.Linear(15, 100), nn.ReLU(), nn.Linear(100, 1))
optimizer = torch.optim.Adam(net.parameters())
table = pd.DataFrame(columns=["loss", "rate"])
# %% train
for epoch in range(EPOCHS):
    for xb, yb in zip(x.split(64), y.split(64)):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(net(xb), yb)
        loss.backward()
        optimizer.step()
    table.loc[len(table)] = [loss.item(), optimizer.param_groups[0]["lr"]]
# %%
print(table.loc[EPOCHS - 1, "loss"], table.iloc[EPOCHS // 2]["rate"], table["loss"].rolling(10).mean().dropna().iloc[0])
