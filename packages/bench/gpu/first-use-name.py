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
print(torch.cuda.get_device_name(0), torch.cuda.device_count())
