# A whole model was saved; torch reads weights alone unless it is told.
# short: EPOCHS = 1
# raises: UnpicklingError
# %%
import torch
from torch import nn

EPOCHS = 16_000
sequences = torch.randint(0, 50, (2000, 24))

class Language(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(50, 32)
        self.gru = nn.GRU(32, 64, batch_first=True)
        self.head = nn.Linear(64, 50)

    def forward(self, ids):
        return self.head(self.gru(self.embed(ids))[0])
# %%
lm = Language()
optimizer = torch.optim.Adam(lm.parameters())
# %% train
for epoch in range(EPOCHS):
    for ids in sequences.split(50):
        logits = lm(ids[:, :-1])
        loss = nn.functional.cross_entropy(logits.reshape(-1, 50), ids[:, 1:].reshape(-1))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(epoch, float(loss))
# %%
torch.save(lm, "language.pt")
# %% crash
again = torch.load("language.pt")
print(again(sequences[:2]).shape)
# %% instead
again = torch.load("language.pt", weights_only=False)
print(again(sequences[:2]).shape)
