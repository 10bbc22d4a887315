# A trainer of the notebook's own calls its hooks when training is over; one reads an attribute that nobody sets.
# short: EPOCHS = 3
# raises: AttributeError
# %%
import torch
from torch import nn

EPOCHS = 60_000
torch.manual_seed(3)
x, y = torch.randn(2048, 24), torch.randn(2048, 1)
# %%
class Best:
    def __init__(self):
        self.loss, self.state = float("inf"), None

    def after_epoch(self, trainer):
        if trainer.loss < self.loss:
            self.loss = trainer.loss
            self.state = {name: part.clone() for name, part in trainer.model.state_dict().items()}

    def after_training(self, trainer):
        trainer.model.load_state_dict(self.weights)


class Trainer:
    def __init__(self, model, hooks):
        self.model, self.hooks, self.loss = model, hooks, 0.0
        self.optimizer = torch.optim.Adam(model.parameters())

    def fit(self, epochs):
        for epoch in range(epochs):
            for start in range(0, 2048, 32):
                loss = nn.functional.mse_loss(self.model(x[start : start + 32]), y[start : start + 32])
                self.optimizer.zero_grad()
                loss.backward()
                self.optimizer.step()
            self.loss = loss.item()
            for hook in self.hooks:
                hook.after_epoch(self)
        for hook in self.hooks:
            hook.after_training(self)


net = nn.Sequential(nn.Linear(24, 96), nn.ReLU(), nn.Linear(96, 1))
# %% crash
trainer = Trainer(net, [Best()])
trainer.fit(EPOCHS)
# %% instead
trainer = Trainer(net, [])
trainer.fit(EPOCHS)
