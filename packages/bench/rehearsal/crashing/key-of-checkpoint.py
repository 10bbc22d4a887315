# A checkpoint is read under another key than it was written with.
# short: epochs = 4
# raises: KeyError
# %%
import torch
from torch import nn

epochs = 36_000
save_every = 2
model = nn.LSTM(8, 64, batch_first=True)
head = nn.Linear(64, 1)
optimizer = torch.optim.Adam([*model.parameters(), *head.parameters()])
series = torch.sin(torch.arange(0, 4000, 0.1))[: 8 * 4000].reshape(250, 16, 8)
# %% train
for epoch in range(epochs):
    for batch in series.split(10):
        out, _ = model(batch)
        loss = (head(out[:, -1]).squeeze(1) - batch[:, -1, -1]).abs().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    if epoch % save_every == 0:
        torch.save({"epoch": epoch, "model": model.state_dict(), "optimizer": optimizer.state_dict()}, "last.pt")
# %% crash
checkpoint = torch.load("last.pt")
model.load_state_dict(checkpoint["model"])
optimizer.load_state_dict(checkpoint["optim"])
# %% instead
checkpoint = torch.load("last.pt")
model.load_state_dict(checkpoint["model"])
optimizer.load_state_dict(checkpoint["optimizer"])
