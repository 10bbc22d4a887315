# The accelerator has no such method.
# short: num_epochs = 1
# raises: AttributeError
# %%
import torch
from accelerate import Accelerator
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

num_epochs = 12_000
accelerator = Accelerator(cpu=True)
net = nn.Sequential(nn.Linear(20, 200), nn.ReLU(), nn.Linear(200, 2))
optimizer = torch.optim.AdamW(net.parameters(), lr=1e-3)
scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=num_epochs)
features = torch.randn(6400, 20)
loader = DataLoader(TensorDataset(features, (features[:, 0] > 0).long()), batch_size=64, shuffle=True)
net, optimizer, loader, scheduler = accelerator.prepare(net, optimizer, loader, scheduler)
# %% train
for epoch in range(num_epochs):
    for x, y in loader:
        with accelerator.accumulate(net):
            loss = nn.functional.cross_entropy(net(x), y)
            accelerator.backward(loss)
            optimizer.step()
            optimizer.zero_grad()
    scheduler.step()
# %% crash
plain = accelerator.unwrap(net)
torch.save(plain.state_dict(), "net.pt")
# %% instead
plain = accelerator.unwrap_model(net)
torch.save(plain.state_dict(), "net.pt")
