# Five folds are trained; the lists of results have different lengths.
# short: EPOCHS = 1
# raises: ValueError
# %%
import pandas as pd
import torch
from sklearn.model_selection import KFold
from torch import nn

EPOCHS = 7_500
x = torch.randn(5000, 30)
y = x[:, :3].prod(dim=1, keepdim=True)
# %%
results = {"fold": [], "loss": [], "mean": []}
# %% train
for fold, (fitted, held_out) in enumerate(KFold(5, shuffle=True, random_state=0).split(x)):
    torch.manual_seed(fold)
    model = nn.Sequential(nn.Linear(30, 100), nn.Tanh(), nn.Linear(100, 1))
    optimizer = torch.optim.Adam(model.parameters())
    for epoch in range(EPOCHS):
        for batch in torch.tensor(fitted).split(80):
            optimizer.zero_grad()
            nn.functional.mse_loss(model(x[batch]), y[batch]).backward()
            optimizer.step()
    with torch.no_grad():
        loss = nn.functional.mse_loss(model(x[held_out]), y[held_out]).item()
    results["fold"].append(fold)
    results["loss"].append(loss)
results["mean"].append(sum(results["loss"]) / 5)
# %% crash
table = pd.DataFrame(results)
print(table.round(3))
# %% instead
table = pd.DataFrame({"fold": results["fold"], "loss": results["loss"]})
print(table.round(3), results["mean"])
