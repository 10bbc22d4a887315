# A table of the run, and the row of a late epoch.
# short: EPOCHS = 5
# %%
import pandas as pd
import torch
from torch import nn

EPOCHS = 8000
LATE = EPOCHS - 2
x, y = torch.randn(6400, 24), torch.randint(0, 2, (6400,))
model = nn.Sequential(nn.Linear(24, 128), nn.ReLU(), nn.Linear(128, 2))
optimizer = torch.optim.Adam(model.parameters())
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=EPOCHS // 3 or 1)
# %%
def epoch_of(model, train=True):
    total, right = 0.0, 0
    for xb, yb in zip(x.split(64), y.split(64)):
        out = model(xb)
        loss = nn.functional.cross_entropy(out, yb)
        if train:
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        total += loss.item()
        right += int((out.argmax(dim=1) == yb).sum())
    return total / 100, right / len(x)
# %% train
rows = []
for epoch in range(EPOCHS):
    loss, accuracy = epoch_of(model)
    scheduler.step()
    rows.append({"epoch": epoch, "loss": loss, "accuracy": accuracy, "lr": scheduler.get_last_lr()[0]})
# %%
table = pd.DataFrame(rows).set_index("epoch")
print(table.loc[LATE, "loss"], table["accuracy"].idxmax())
