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

# %% setup
model = Net().to(device)
opt = torch.optim.AdamW(model.parameters(), lr=1e-3)
Xg, yg = X.to(device), y.to(device)
for xb, yb in loader:
    xb, yb = xb.to(device), yb.to(device)
    loss = criterion(model(xb), yb)
    opt.zero_grad(); loss.backward(); opt.step()
losses = [loss.item()]
history = {'loss': losses}

# %% crash
out = model(X)

# %% crash
values = model(Xg).detach().numpy()

# %% crash
values = np.asarray(Xg)

# %% crash
model(Xg[:, :1])

# %% crash
loss = criterion(model(Xg), y)

# %% crash
loss = criterion(model(Xg), yg[:10])

# %% crash
print(history['val_loss'][-1])

# %% crash
Xg @ Xg.T.double()

# %% crash
torch.cat([Xg, X])

# %% crash
for epoch in range(2):
    for xb, yb in loader:
        out = model(xb.to(device))
        loss = criterion(out, yb)
        loss.backward()

# %% crash
for epoch in range(3):
    for xb, yb in loader:
        loss = criterion(model(xb.to(device)), yb.to(device))
        opt.zero_grad(); loss.backward(); opt.step()
    losses.append(loss.item())
print(losses[10])

# %% crash
big = torch.empty(400_000, 400_000, device='cuda')

# %% crash
t = torch.zeros(3, device='cuda:7')

# %% crash
model.load_state_dict({k: v for k, v in list(Net(64).state_dict().items())})

# %% crash
w = torch.randn(5, device='cuda')
w[3:] = torch.arange(3, device='cuda').float()

# %% crash
Xg.half() @ torch.ones(16, 4, device='cuda')

# %% crash
m2 = Net()
opt2 = torch.optim.SGD(m2.parameters(), lr=.1)
m2(Xg)

# %% crash
plot = [v + 'x' for v in losses]

# %% crash
emb = nn.Embedding(5, 4).cuda()
v = emb(yg.cpu())

# %% crash
F.cross_entropy(model(Xg), yg.float())

# %% crash
xs = Xg.view(256, -1, 7)

# %% crash
model(Xg).backward()

# %% crash
g = torch.Generator().manual_seed(1)
r = torch.randn(3, generator=g, device='cuda')

# %% crash
if losses[0] > 0:
    raise ValueError('stop ' + str(model.fc.weight.device))

# %% crash
acc = (model(Xg).argmax(1) == y).float().mean()

# %% crash
import sklearn_missing_thing

# %% crash
F.cross_entropy(model(Xg), yg + 5)
torch.cuda.synchronize()
