# The checkpoint of the middle of the run is loaded afterwards.
# short: EPOCHS = 4
# %%
import torch
from torch import nn

EPOCHS = 6000
MIDDLE = EPOCHS // 2
model = nn.Sequential(nn.Linear(64, 256), nn.ReLU(), nn.Linear(256, 10))
optimizer = torch.optim.Adam(model.parameters())
x, y = torch.randn(6400, 64), torch.randint(0, 10, (6400,))
# %% train
for epoch in range(EPOCHS):
    for xb, yb in zip(x.split(64), y.split(64)):
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(xb), yb).backward()
        optimizer.step()
    if epoch == MIDDLE:
        torch.save(model.state_dict(), f"epoch-{epoch}.pt")
# %%
model.load_state_dict(torch.load(f"epoch-{MIDDLE}.pt"))
print(model(x[:1]).argmax())
