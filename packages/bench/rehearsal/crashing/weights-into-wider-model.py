# The weights are loaded into a model with another width.
# short: EPOCHS = 2
# raises: RuntimeError
# %%
import copy

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

EPOCHS = 8000

def build(width):
    return nn.Sequential(nn.Linear(40, width), nn.GELU(), nn.Linear(width, width), nn.GELU(), nn.Linear(width, 1))
# %%
data = TensorDataset(torch.randn(9600, 40), torch.randn(9600, 1))
loader = DataLoader(data, batch_size=96, shuffle=True)
net = build(192)
# %% train
def fit(net, loader, epochs):
    optimizer = torch.optim.AdamW(net.parameters())
    best, best_loss = None, float("inf")
    for epoch in range(epochs):
        net.train()
        running = 0.0
        for x, y in loader:
            optimizer.zero_grad(set_to_none=True)
            loss = nn.functional.smooth_l1_loss(net(x), y)
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            optimizer.step()
            running += loss.item()
        if running < best_loss:
            best_loss, best = running, copy.deepcopy(net.state_dict())
    return best, best_loss / len(loader)

best_weights, best_loss = fit(net, loader, EPOCHS)
# %% crash
served = build(128)
served.load_state_dict(best_weights)
served.eval()
# %% instead
served = build(192)
served.load_state_dict(best_weights)
served.eval()
