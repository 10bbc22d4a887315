# The first validation comes after many epochs and misses an argument.
# short: EPOCHS = 60
# raises: TypeError
# %%
import torch
from torch import nn

EPOCHS = 160_000
EVERY = EPOCHS // 2
x, y = torch.randn(4096, 24), torch.randint(0, 3, (4096,))
x_val, y_val = torch.randn(512, 24), torch.randint(0, 3, (512,))
net = nn.Sequential(nn.Linear(24, 96), nn.ReLU(), nn.Linear(96, 3))
# %%
def accuracy(model, features, labels):
    model.eval()
    with torch.no_grad():
        right = (model(features).argmax(dim=1) == labels).float().mean()
    model.train()
    return right.item()
# %% crash train
optimizer = torch.optim.Adam(net.parameters())
for epoch in range(1, EPOCHS + 1):
    for start in range(0, 4096, 64):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(net(x[start : start + 64]), y[start : start + 64])
        loss.backward()
        optimizer.step()
    if epoch % EVERY == 0:
        print(epoch, accuracy(net, x_val))
# %% instead train
optimizer = torch.optim.Adam(net.parameters())
for epoch in range(1, EPOCHS + 1):
    for start in range(0, 4096, 64):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(net(x[start : start + 64]), y[start : start + 64])
        loss.backward()
        optimizer.step()
    if epoch % EVERY == 0:
        print(epoch, accuracy(net, x_val, y_val))
