# A callback is handed the number of the epoch, and adds a column of another height when half of them are over.
# short: EPOCHS = 6
# raises: RuntimeError
# %%
import torch
from torch import nn

EPOCHS = 60_000
torch.manual_seed(0)
x, y = torch.randn(2048, 24), torch.randint(0, 3, (2048,))
x_val, y_val = torch.randn(300, 24), torch.randint(0, 3, (300,))
net = nn.Sequential(nn.Linear(24, 96), nn.ReLU(), nn.Linear(96, 3))
optimizer = torch.optim.Adam(net.parameters())


class Looks:
    def __init__(self, every):
        self.every = every

    def after(self, epoch):
        if epoch == self.every:
            with torch.no_grad():
                print(torch.cat([net(x_val), y_val], dim=1)[:3])
# %% crash
looks = Looks(EPOCHS // 2)
for epoch in range(EPOCHS):
    for start in range(0, 2048, 32):
        optimizer.zero_grad()
        nn.functional.cross_entropy(net(x[start : start + 32]), y[start : start + 32]).backward()
        optimizer.step()
    looks.after(epoch)
# %% instead
looks = Looks(EPOCHS)
for epoch in range(EPOCHS):
    for start in range(0, 2048, 32):
        optimizer.zero_grad()
        nn.functional.cross_entropy(net(x[start : start + 32]), y[start : start + 32]).backward()
        optimizer.step()
    looks.after(epoch)
