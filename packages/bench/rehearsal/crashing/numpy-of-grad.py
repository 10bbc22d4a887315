# Predictions are turned into NumPy without detaching them.
# short: STEPS = 300
# raises: RuntimeError
# %%
import torch
import torch.nn.functional as F
from torch import nn

STEPS = 8_000_000
torch.manual_seed(1)
x = torch.linspace(-3, 3, 2000).unsqueeze(1)
y = torch.sin(2 * x) + 0.1 * torch.randn_like(x)
# %%
class Regressor(nn.Module):
    def __init__(self, hidden=64):
        super().__init__()
        self.inner = nn.Linear(1, hidden)
        self.outer = nn.Linear(hidden, 1)

    def forward(self, x):
        return self.outer(torch.tanh(self.inner(x)))

net = Regressor()
opt = torch.optim.SGD(net.parameters(), lr=0.05)
# %% train
for step in range(STEPS):
    opt.zero_grad()
    loss = F.mse_loss(net(x), y)
    loss.backward()
    opt.step()
    if step % 1000 == 0:
        print(step, loss.item())
# %% crash
predicted = net(x).numpy()
print("largest error", abs(predicted - y.numpy()).max())
# %% instead
predicted = net(x).detach().numpy()
print("largest error", abs(predicted - y.numpy()).max())
