# Averages are kept of the parameters alone; the state of the model has buffers too.
# short: EPOCHS = 3
# raises: KeyError
# %%
import torch
from torch import nn

EPOCHS = 60_000
torch.manual_seed(1)
x, y = torch.randn(2048, 24), torch.randint(0, 3, (2048,))
net = nn.Sequential(nn.Linear(24, 96), nn.BatchNorm1d(96), nn.ReLU(), nn.Linear(96, 3))
optimizer = torch.optim.SGD(net.parameters(), lr=0.05)


class Averages:
    def __init__(self, model):
        self.kept = {name: part.detach().clone() for name, part in model.named_parameters()}

    @torch.no_grad()
    def update(self, model):
        for name, part in model.named_parameters():
            self.kept[name].lerp_(part, 0.01)


averages = Averages(net)
# %% train
for epoch in range(EPOCHS):
    for start in range(0, 2048, 32):
        optimizer.zero_grad()
        nn.functional.cross_entropy(net(x[start : start + 32]), y[start : start + 32]).backward()
        optimizer.step()
        averages.update(net)
# %% crash
net.load_state_dict({name: averages.kept[name] for name in net.state_dict()})
print((net.eval()(x).argmax(dim=1) == y).float().mean())
# %% instead
net.load_state_dict({name: averages.kept.get(name, part) for name, part in net.state_dict().items()})
print((net.eval()(x).argmax(dim=1) == y).float().mean())
