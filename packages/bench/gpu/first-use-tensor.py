# %% setup
import torch, torch.nn as nn, torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset
import numpy as np

# %% setup
torch.cuda.is_available(), torch.cuda.device_count(), torch.version.cuda

# %% fine
a = torch.zeros(4).cuda()
assert a.is_cuda and a.device.type == 'cuda' and str(a.device) == 'cuda:0'
