# A curriculum moves on now and then, and looks one stage too far ahead.
# short: STEPS = 400
# raises: IndexError
# %%
import torch
from torch import nn

STEPS = 1_200_000
LENGTHS = [4, 8, 16, 32]
PER_STAGE = STEPS // len(LENGTHS)
torch.manual_seed(0)
net = nn.GRU(3, 48, batch_first=True)
head = nn.Linear(48, 1)
optimizer = torch.optim.Adam([*net.parameters(), *head.parameters()])
# %% crash
stage = 0
for step in range(STEPS):
    if step and step % PER_STAGE == 0:
        stage += 1
        print("length", LENGTHS[stage], "and then", LENGTHS[stage + 1])
    x = torch.rand(64, LENGTHS[stage], 3)
    loss = nn.functional.mse_loss(head(net(x)[0][:, -1]).squeeze(1), x.sum(dim=(1, 2)))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
# %% instead
stage = 0
for step in range(STEPS):
    if step and step % PER_STAGE == 0:
        stage += 1
        print("length", LENGTHS[stage], "and then", LENGTHS[stage + 1 :])
    x = torch.rand(64, LENGTHS[stage], 3)
    loss = nn.functional.mse_loss(head(net(x)[0][:, -1]).squeeze(1), x.sum(dim=(1, 2)))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
