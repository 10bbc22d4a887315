# A point between two codes is decoded, but with one dimension too few.
# short: EPOCHS = 2
# raises: RuntimeError
# %%
import torch
from torch import nn
from torch.utils.data import DataLoader

EPOCHS = 25_000

class Autoencoder(nn.Module):
    def __init__(self, code=8):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(196, 128), nn.ReLU(), nn.Linear(128, code))
        self.decoder = nn.Sequential(nn.Linear(code, 128), nn.ReLU(), nn.Linear(128, 196))

    def forward(self, x):
        return self.decoder(self.encoder(x))

def train_one_epoch(model, loader, optimizer):
    model.train()
    for x in loader:
        optimizer.zero_grad()
        loss = (model(x) - x).square().mean()
        loss.backward()
        optimizer.step()
    return loss.item()
# %%
pictures = torch.rand(6400, 196)
autoencoder = Autoencoder()
optimizer = torch.optim.Adam(autoencoder.parameters())
loader = DataLoader(pictures, batch_size=64, shuffle=True)
# %% train
log = [train_one_epoch(autoencoder, loader, optimizer) for _ in range(EPOCHS)]
# %%
codes = autoencoder.encoder(pictures[:2]).detach()
# %% crash
between = torch.lerp(codes[0, :6], codes[1, :6], 0.5)
print(autoencoder.decoder(between).shape)
# %% instead
between = torch.lerp(codes[0], codes[1], 0.5)
print(autoencoder.decoder(between).shape)
