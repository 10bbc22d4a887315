# The notebook stops by itself when the model is not good enough.
# short: EPOCHS = 12
# %%
import torch
from torch import nn

EPOCHS = 20_000
torch.manual_seed(0)
x = torch.randn(4096, 10)
y = (x[:, 0] > 0).long()
model = nn.Linear(10, 2)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
# %% train
for epoch in range(EPOCHS):
    for xb, yb in zip(x.split(32), y.split(32)):
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(xb), yb).backward()
        optimizer.step()
# %%
accuracy = (model(x).argmax(dim=1) == y).float().mean().item()
if accuracy < 0.97:
    raise RuntimeError(f"only {accuracy:.2f} are right")
assert accuracy > 0.97
