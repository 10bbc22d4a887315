# %% setup
import torch, torch.nn as nn, torch.nn.functional as F
import numpy as np

# %% setup
torch.manual_seed(11)
device = torch.device('cuda:0')
side = torch.cuda.Stream()
net = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 10)).to(device)
host = [torch.randn(32, 64).pin_memory() for _ in range(6)]
static = torch.zeros(32, 64, device=device)
class Prefetcher:
    def __init__(self, batches):
        self.batches = iter(batches)
        self.stream = torch.cuda.Stream()
        self.load()
    def load(self):
        self.next = next(self.batches, None)
        if self.next is not None:
            with torch.cuda.stream(self.stream):
                self.next = self.next.to(device, non_blocking=True)
    def take(self):
        torch.cuda.current_stream().wait_stream(self.stream)
        batch = self.next
        self.load()
        return batch
counts = torch.zeros(10)

# %% setup
print(net(static).shape)

# %% fine
fetch = Prefetcher(host)
total = 0
while (batch := fetch.take()) is not None:
    total += net(batch).sum().item()
print(total)

# %% crash
fetch = Prefetcher(host)
for _ in range(8):
    total += net(fetch.take()).sum().item()

# %% fine
with torch.cuda.stream(side):
    out = net(host[0].to(device, non_blocking=True))
side.synchronize()
print(out.argmax(1).tolist()[:3])

# %% crash
with torch.cuda.stream(side):
    out = net(host[0])
side.synchronize()

# %% crash
start = torch.cuda.Event()
end = torch.cuda.Event()
start.record(); net(static); end.record()
torch.cuda.synchronize()
print(start.elapsed_time(end))

# %% fine
start = torch.cuda.Event(enable_timing=True)
end = torch.cuda.Event(enable_timing=True)
start.record(); net(static); end.record()
torch.cuda.synchronize()
print(start.elapsed_time(end))

# %% crash
counts += F.one_hot(net(static).argmax(1), 10).sum(0)

# %% fine
counts += F.one_hot(net(static).argmax(1), 10).sum(0).cpu()

# %% crash
out = torch.empty(32, 10)
torch.mm(static, torch.randn(64, 10, device=device), out=out)

# %% fine
out = torch.empty(32, 10, device=device)
torch.mm(static, torch.randn(64, 10, device=device), out=out)

# %% crash
pinned = torch.zeros(32, 64, device=device).pin_memory()

# %% fine
buffer = torch.empty(32, 64).pin_memory()
buffer.copy_(static, non_blocking=True)
torch.cuda.synchronize()
print(buffer.numpy().sum())

# %% crash
where = torch.device('cuda:1')
other = net.to(where)

# %% fine
with torch.no_grad():
    g = torch.cuda.CUDAGraph()
    warm = torch.cuda.Stream()
    warm.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(warm):
        net(static)
    torch.cuda.current_stream().wait_stream(warm)
    with torch.cuda.graph(g):
        result = net(static)
static.copy_(host[1])
g.replay()
print(result.sum().item())

# %% crash
static.copy_(host[1][:10].t())

# %% crash
huge = torch.zeros(300_000, 300_000, device=device)

# %% fine
free, total = torch.cuda.mem_get_info()
print(free / 2**30, total / 2**30)
