# %% setup
import math, copy, torch, torch.nn as nn, torch.nn.functional as F
import numpy as np

# %% setup
torch.manual_seed(5)
device = torch.device('cuda')
steps = 50
betas = torch.linspace(1e-4, 0.02, steps)
alphas = torch.cumprod(1 - betas, 0)
class Block(nn.Module):
    def __init__(self, inp, out):
        super().__init__()
        self.norm = nn.GroupNorm(4, inp)
        self.conv = nn.Conv2d(inp, out, 3, padding=1)
        self.time = nn.Linear(32, out)
    def forward(self, x, t):
        return self.conv(F.silu(self.norm(x))) + self.time(t)[:, :, None, None]
class Denoiser(nn.Module):
    def __init__(self):
        super().__init__()
        self.inp = nn.Conv2d(1, 16, 3, padding=1)
        self.a, self.b = Block(16, 32), Block(32, 16)
        self.out = nn.Conv2d(16, 1, 1)
        self.freqs = torch.exp(torch.arange(16) * -math.log(1e4) / 16)
    def embed(self, t, freqs):
        args = t[:, None].float() * freqs[None]
        return torch.cat([args.sin(), args.cos()], -1)
    def forward(self, x, t, freqs=None):
        e = self.embed(t, self.freqs.to(x.device) if freqs is None else freqs)
        return self.out(self.b(self.a(self.inp(x), e), e))
net = Denoiser().to(device)
ema = copy.deepcopy(net)
opt = torch.optim.AdamW(net.parameters(), 1e-3)
data = torch.rand(64, 1, 16, 16)
def noised(x, t, table):
    a = table[t][:, None, None, None]
    eps = torch.randn_like(x)
    return a.sqrt() * x + (1 - a).sqrt() * eps, eps

# %% setup
x = data[:16].to(device)
t = torch.randint(0, steps, (16,), device=device)
xt, eps = noised(x, t, alphas.to(device))
F.mse_loss(net(xt, t), eps).backward(); opt.step()

# %% fine
for i in range(0, 64, 16):
    x = data[i:i + 16].to(device)
    t = torch.randint(0, steps, (16,), device=device)
    xt, eps = noised(x, t, alphas.to(device))
    loss = F.mse_loss(net(xt, t), eps)
    opt.zero_grad(); loss.backward(); opt.step()
print(loss.item())

# %% crash
xt, eps = noised(x, t, alphas)

# %% fine
xt, eps = noised(x, t.cpu(), alphas.to(device))

# %% crash
t = torch.randint(0, steps, (16,))
xt, eps = noised(x, t, alphas.to(device))
out = net(xt, t)

# %% fine
t = torch.randint(0, steps, (16,)).to(device)
xt, eps = noised(x, t, alphas.to(device))
out = net(xt, t)

# %% crash
out = net(xt, t, net.freqs)

# %% crash
img = torch.randn(4, 1, 16, 16)
with torch.no_grad():
    for s in reversed(range(steps)):
        e = net(img, torch.full((4,), s, device=device))
        img = (img - betas[s] / (1 - alphas[s]).sqrt() * e) / (1 - betas[s]).sqrt()

# %% fine
img = torch.randn(4, 1, 16, 16, device=device)
with torch.no_grad():
    for s in reversed(range(steps)):
        e = net(img, torch.full((4,), s, device=device))
        img = (img - betas[s] / (1 - alphas[s]).sqrt() * e) / (1 - betas[s]).sqrt()
print(img.std().item())

# %% crash
out = net(x.repeat(1, 3, 1, 1), t)

# %% crash
out = net(x, t[:5])

# %% fine
out = net(x[:5], t[:5])

# %% crash
odd = Block(18, 16).to(device)

# %% crash
for e, p in zip(ema.cpu().parameters(), net.parameters()):
    e.data = 0.99 * e.data + 0.01 * p.data

# %% fine
ema = ema.to(device)
for e, p in zip(ema.parameters(), net.parameters()):
    e.data = 0.99 * e.data + 0.01 * p.data

# %% crash
grid = img.clamp(0, 1).permute(0, 2, 3, 1)
tiles = np.concatenate([tile for tile in grid], 1)

# %% fine
grid = img.clamp(0, 1).permute(0, 2, 3, 1).cpu().numpy()
tiles = np.concatenate([tile for tile in grid], 1)

# %% crash
noise = torch.randn(4, 1, 16, 16, generator=torch.Generator(device=device).manual_seed(0))

# %% fine
noise = torch.randn(4, 1, 16, 16, generator=torch.Generator(device=device).manual_seed(0), device=device)

# %% crash
snr = alphas / (1 - alphas)
w = snr[t.cpu()].clamp(max=5)
loss = (w * F.mse_loss(net(xt, t), eps, reduction='none').mean((1, 2, 3))).mean()

# %% fine
snr = alphas / (1 - alphas)
w = snr[t.cpu()].clamp(max=5).to(device)
loss = (w * F.mse_loss(net(xt, t), eps, reduction='none').mean((1, 2, 3))).mean()
print(loss.item())

# %% crash
scheduler = torch.optim.lr_scheduler.OneCycleLR(opt, 1e-3, total_steps=3)
for _ in range(6):
    F.mse_loss(net(xt, t), eps).backward()
    opt.step(); scheduler.step()
