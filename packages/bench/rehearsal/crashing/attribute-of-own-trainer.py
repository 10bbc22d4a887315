# A trainer of one's own keeps the best weights under another name.
# short: EPOCHS = 2
# raises: AttributeError
# %%
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

EPOCHS = 14_000

class Fitter:
    def __init__(self, model, lr=1e-3):
        self.model = model
        self.optimizer = torch.optim.Adam(model.parameters(), lr=lr)
        self.losses = []

    def step(self, x, y):
        self.optimizer.zero_grad()
        loss = nn.functional.binary_cross_entropy_with_logits(self.model(x).squeeze(1), y)
        loss.backward()
        self.optimizer.step()
        return loss.item()

    def fit(self, loader, epochs):
        for _ in range(epochs):
            self.losses.append(sum(self.step(x, y) for x, y in loader) / len(loader))
        self.best_state = {name: value.clone() for name, value in self.model.state_dict().items()}
        return self
# %%
x = torch.randn(8000, 16)
loader = DataLoader(TensorDataset(x, (x.norm(dim=1) > 4).float()), batch_size=50, shuffle=True)
fitter = Fitter(nn.Sequential(nn.Linear(16, 128), nn.ReLU(), nn.Linear(128, 1)))
# %% train
fitter.fit(loader, EPOCHS)
# %% crash
fitter.model.load_state_dict(fitter.best_weights)
print(len(fitter.losses))
# %% instead
fitter.model.load_state_dict(fitter.best_state)
print(len(fitter.losses))
