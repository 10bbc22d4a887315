# The last line of the cell that trains joins a text and a number.
# short: EPOCHS = 3
# raises: TypeError
# %%
import torch
from torch import nn
from tqdm import tqdm

EPOCHS = 99_000
inputs, targets = torch.randn(5000, 50), torch.randn(5000, 5)
model = nn.Sequential(nn.Linear(50, 300), nn.ReLU(), nn.Linear(300, 5))
optimizer = torch.optim.RMSprop(model.parameters(), lr=1e-4)
# %% crash train
for epoch in tqdm(range(EPOCHS)):
    for start in range(0, 5000, 50):
        optimizer.zero_grad()
        loss = (model(inputs[start : start + 50]) - targets[start : start + 50]).pow(2).mean()
        loss.backward()
        optimizer.step()
print("final loss: " + loss.item())
# %% instead train
for epoch in tqdm(range(EPOCHS)):
    for start in range(0, 5000, 50):
        optimizer.zero_grad()
        loss = (model(inputs[start : start + 50]) - targets[start : start + 50]).pow(2).mean()
        loss.backward()
        optimizer.step()
print("final loss: " + str(loss.item()))
