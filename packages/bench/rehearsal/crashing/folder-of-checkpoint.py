# The last checkpoint goes into a folder that nobody made.
# short: N_EPOCHS = 1
# raises: RuntimeError
# %%
import torch
from torch import nn

N_EPOCHS = 3_000
BATCH = 64
# %%
images = torch.rand(3200, 3, 32, 32)
labels = torch.randint(0, 10, (3200,))
cnn = nn.Sequential(
    nn.Conv2d(3, 16, 3, padding=1),
    nn.ReLU(),
    nn.MaxPool2d(2),
    nn.Conv2d(16, 32, 3, padding=1),
    nn.ReLU(),
    nn.AdaptiveAvgPool2d(4),
    nn.Flatten(),
    nn.Linear(512, 10),
)
optim = torch.optim.AdamW(cnn.parameters(), lr=3e-4)
# %%
def run_epoch(model, optimizer, images, labels):
    order = torch.randperm(len(images))
    total = 0.0
    for start in range(0, len(images), BATCH):
        batch = order[start : start + BATCH]
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(images[batch]), labels[batch])
        loss.backward()
        optimizer.step()
        total += loss.item() * len(batch)
    return total / len(images)
# %% train
curve = []
for epoch in range(1, N_EPOCHS + 1):
    curve.append(run_epoch(cnn, optim, images, labels))
    print(f"epoch {epoch}: {curve[-1]:.4f}")
# %%
print("best epoch", min(range(len(curve)), key=curve.__getitem__))
# %% crash
torch.save({"model": cnn.state_dict(), "curve": curve}, "checkpoints/run-1/final.pt")
# %% instead
import os

os.makedirs("checkpoints/run-1", exist_ok=True)
torch.save({"model": cnn.state_dict(), "curve": curve}, "checkpoints/run-1/final.pt")
