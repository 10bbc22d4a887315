# %% setup
import torch, torch.nn as nn, torch.nn.functional as F
import torch._dynamo

# %% setup
torch.manual_seed(12)
device = 'cuda'
class Mixer(nn.Module):
    def __init__(self, tokens=16, dim=32):
        super().__init__()
        self.norm = nn.LayerNorm(dim)
        self.across = nn.Linear(tokens, tokens)
        self.within = nn.Linear(dim, dim)
        self.table = torch.arange(tokens)
    def forward(self, x):
        x = x + self.across(self.norm(x).transpose(1, 2)).transpose(1, 2)
        return x + self.within(F.gelu(x))
    def numbered(self, x):
        return self(x) * self.table[None, :, None]
mixer = Mixer().to(device)
fast = torch.compile(mixer, backend='eager')
x = torch.randn(4, 16, 32, device=device)
scripted = torch.jit.trace(mixer, x)
@torch.compile(backend='eager')
def energy(v, w):
    return (v * w).sum(-1)

# %% setup
print(fast(x).shape)

# %% fine
out = fast(x)
loss = out.pow(2).mean()
loss.backward()

# %% crash
out = fast(x.cpu())

# %% fine
out = fast(x.cpu().to(device))

# %% crash
out = fast(x[:, :12])

# %% crash
e = energy(x, torch.ones(32))

# %% fine
e = energy(x, torch.ones(32, device=device))
print(e.shape)

# %% crash
out = fast.numbered(x)

# %% crash
out = scripted(x.double())

# %% fine
out = scripted(x)
print(out.sum().item())

# %% crash
graph = torch.fx.symbolic_trace(mixer)
out = graph(torch.randn(4, 16, 31, device=device))

# %% fine
graph = torch.fx.symbolic_trace(mixer)
out = graph(torch.randn(4, 16, 32, device=device))

# %% crash
values = fast(x).numpy()

# %% fine
values = fast(x).detach().cpu().numpy()

# %% crash
batched = torch.vmap(mixer.within)(x, torch.ones(4, device=device))

# %% fine
batched = torch.vmap(mixer.within)(x)
print(batched.shape)
