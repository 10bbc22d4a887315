# %% setup
import torch, torch.nn as nn, torch.nn.functional as F
import numpy as np

# %% setup
torch.manual_seed(10)
device = 'cuda'
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 8, 3, padding=1)
        self.norm = nn.BatchNorm2d(8)
        self.out = nn.Linear(8, 6)
        self.register_buffer('scale', torch.ones(6))
    def forward(self, x):
        return self.out(F.relu(self.norm(self.conv(x))).mean((2, 3))) * self.scale
net = Net().to(device)
half = Net().to(device).half()
brain = Net().to(device).bfloat16()
opt = torch.optim.SGD(net.parameters(), 0.1)
scaler = torch.amp.GradScaler('cuda')
x = torch.randn(8, 3, 16, 16, device=device)
y = torch.randint(0, 6, (8,), device=device)
sgd_half = torch.optim.SGD(half.parameters(), 0.1)

# %% setup
with torch.autocast('cuda', dtype=torch.float16):
    out = net(x)
    loss = F.cross_entropy(out, y)
scaler.scale(loss).backward(); scaler.step(opt); scaler.update(); opt.zero_grad()

# %% fine
with torch.autocast('cuda', dtype=torch.bfloat16):
    out = net(x)
loss = F.cross_entropy(out.float(), y)
loss.backward(); opt.step(); opt.zero_grad()

# %% crash
out = half(x)

# %% fine
out = half(x.half())
print(out.dtype)

# %% crash
out = brain(x.half())

# %% fine
out = brain(x.bfloat16())

# %% crash
arr = brain(x.bfloat16()).detach().cpu().numpy()

# %% fine
arr = brain(x.bfloat16()).detach().float().cpu().numpy()

# %% crash
with torch.autocast('cuda', dtype=torch.float16):
    p = net(x).sigmoid()
    loss = F.binary_cross_entropy(p, F.one_hot(y, 6).float())

# %% fine
with torch.autocast('cuda', dtype=torch.float16):
    loss = F.binary_cross_entropy_with_logits(net(x), F.one_hot(y, 6).float())

# %% crash
with torch.autocast('cuda', dtype=torch.float16):
    features = net.conv(x)
kernel = torch.ones(4, 8, 1, 1, device=device)
mixed = F.conv2d(features, kernel)

# %% fine
with torch.autocast('cuda', dtype=torch.float16):
    features = net.conv(x)
kernel = torch.ones(4, 8, 1, 1, device=device)
mixed = F.conv2d(features.float(), kernel)

# %% crash
loss = F.cross_entropy(half(x.half()), y)
scaler.scale(loss).backward()
scaler.unscale_(sgd_half)

# %% crash
a = torch.randn(6, 6, device=device, dtype=torch.float16)
inv = torch.linalg.inv(a)

# %% fine
a = torch.eye(6, device=device, dtype=torch.float16) * 2
inv = torch.linalg.inv(a.float()).half()

# %% crash
w = torch.randn(8, 6, device=device).to(torch.float8_e4m3fn)
s = w + w

# %% crash
acc = torch.zeros(6, device=device, dtype=torch.int64)
acc += net(x).sum(0)

# %% fine
acc = torch.zeros(6, device=device)
acc += net(x).sum(0).detach()

# %% crash
scaler.step(opt)

# %% fine
scaler = torch.amp.GradScaler('cuda')
loss = F.cross_entropy(net(x), y)
scaler.scale(loss).backward()
scaler.unscale_(opt)
nn.utils.clip_grad_norm_(net.parameters(), 1.0)
scaler.step(opt); scaler.update(); opt.zero_grad()

# %% crash
mixed = torch.matmul(x.flatten(1), torch.ones(768, 4, device=device, dtype=torch.float64))

# %% fine
mixed = torch.matmul(x.flatten(1).double(), torch.ones(768, 4, device=device, dtype=torch.float64))
