# The metric wants to know how many classes there are.
# short: EPOCHS = 2
# raises: TypeError
# %%
import torch
from torch import nn
from torch.optim.lr_scheduler import OneCycleLR
from torchmetrics.classification import MulticlassF1Score
from tqdm.auto import trange

EPOCHS = 45_000
x = torch.randn(4000, 60)
y = x[:, :6].argmax(dim=1)
model = nn.Sequential(nn.Linear(60, 120), nn.BatchNorm1d(120), nn.ReLU(), nn.Linear(120, 6))
optimizer = torch.optim.AdamW(model.parameters())
schedule = OneCycleLR(optimizer, max_lr=0.01, epochs=EPOCHS, steps_per_epoch=80)
# %% train
for epoch in trange(EPOCHS):
    for xb, yb in zip(x.split(50), y.split(50)):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(xb), yb)
        loss.backward()
        optimizer.step()
        schedule.step()
# %% crash
f1 = MulticlassF1Score()
print(f1(model(x), y))
# %% instead
f1 = MulticlassF1Score(num_classes=6)
print(f1(model(x), y))
