# An early stopper is an object that is called, and keeps the epoch at which it stopped.
# short: ROUNDS = 4
# %%
import torch
from torch import nn

ROUNDS = 40_000
torch.manual_seed(0)
x = torch.randn(2048, 6)
y = x @ torch.randn(6, 1) + 0.3 * torch.randn(2048, 1)
model = nn.Linear(6, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)


class Stopper:
    def __init__(self, rounds):
        self.rounds, self.seen, self.ended = rounds, 0, None

    def __call__(self, epoch, loss):
        self.seen += 1
        if self.seen >= self.rounds:
            self.ended = epoch
        return self.ended is not None


stopper = Stopper(ROUNDS)
# %% train
epoch = 0
while True:
    for xb, yb in zip(x.split(16), y.split(16)):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(xb), yb)
        loss.backward()
        optimizer.step()
    if stopper(epoch, loss.item()):
        break
    epoch += 1
# %%
print("ended at epoch %d" % stopper.ended)
