# %% setup
import torch, torch.nn as nn, torch.nn.functional as F, math, copy, random
from torch.utils.data import DataLoader, TensorDataset, Dataset
import numpy as np

# %% setup
torch.set_default_device('cuda')
torch.set_default_dtype(torch.float64)

# %% setup
lin = nn.Linear(4, 2)
x = torch.randn(6, 4)

# %% fine
out = lin(torch.ones(3, 4))
print(out.dtype, out.device)

# %% fine
t = torch.arange(5)
assert (x[:5, 0] * t).is_cuda

# %% fine
host = torch.ones(3, device='cpu')
print(host.numpy())

# %% fine
torch.set_default_device('cpu')
local = torch.zeros(2)
print(local.numpy())
