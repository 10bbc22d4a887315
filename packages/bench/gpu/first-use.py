# %% setup
import torch, torch.nn as nn, torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset
import numpy as np

# %% setup
torch.manual_seed(0)
device = torch.device('cuda' if torch.cuda.is_available() else 'cpu')
class Net(nn.Module):
    def __init__(self, width=32):
        super().__init__()
        self.conv = nn.Conv2d(3, 8, 3, padding=1)
        self.fc = nn.Linear(8 * 8 * 8, width)
        self.out = nn.Linear(width, 10)
    def forward(self, x):
        x = F.max_pool2d(F.relu(self.conv(x)), 2)
        return self.out(F.relu(self.fc(x.flatten(1))))
X = torch.randn(256, 3, 16, 16)
y = torch.randint(0, 10, (256,))
loader = DataLoader(TensorDataset(X, y), batch_size=50)
criterion = nn.CrossEntropyLoss()

# %% fine
model = Net().to(device)

# %% fine
del model

# %% fine
probe = torch.ones(3, device='cuda')
print(probe.sum().item())

# %% restart

# %% fine
print(torch.cuda.get_device_name(0), torch.cuda.device_count())

# %% restart

# %% fine
model = Net().to(device)
for xb, yb in loader:
    loss = criterion(model(xb.to(device)), yb.to(device))
print(loss.item())

# %% restart

# %% crash
model = Net().to(device)
out = model(X.to(device))
values = out.numpy()

# %% crash
bad = Net().to(device)
for xb, yb in loader:
    loss = criterion(bad(xb), yb)

# %% restart

# %% crash
wrong = Net().to(device)
out = wrong(torch.randn(4, 3, 20, 20, device=device))

# %% fine
torch.cuda.manual_seed_all(0)
torch.backends.cudnn.deterministic = True
print(torch.cuda.memory_allocated())

# %% fine
with torch.autocast('cuda', dtype=torch.float16):
    half = X.to(device) @ X.to(device).transpose(-1, -2)
assert half.dtype == torch.float16

# %% restart

# %% fine
a = torch.zeros(4).cuda()
assert a.is_cuda and a.device.type == 'cuda' and str(a.device) == 'cuda:0'
