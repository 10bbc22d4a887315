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

# %% fine
out = model(Xg)
print(out.shape, out.device)

# %% fine
for epoch in range(3):
    model.train()
    for xb, yb in loader:
        xb, yb = xb.to(device, non_blocking=True), yb.to(device)
        opt.zero_grad()
        loss = criterion(model(xb), yb)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
    losses.append(loss.item())
print(losses)

# %% fine
model.eval()
with torch.no_grad():
    pred = model(Xg).argmax(1).cpu().numpy()
acc = (pred == y.numpy()).mean()

# %% fine
assert next(model.parameters()).is_cuda
assert Xg.device.type == 'cuda'
assert Xg.is_cuda

# %% fine
if Xg.device.type != 'cuda':
    raise RuntimeError('put the data on the GPU')
print(Xg.get_device())

# %% fine
scaler = torch.amp.GradScaler('cuda')
with torch.autocast('cuda'):
    loss = criterion(model(Xg), yg)
scaler.scale(loss).backward()
scaler.step(opt)
scaler.update()
opt.zero_grad()

# %% fine
with torch.cuda.amp.autocast():
    z = model(Xg)
assert z.dtype == torch.float16

# %% fine
stream = torch.cuda.Stream()
with torch.cuda.stream(stream):
    w = Xg * 2
torch.cuda.current_stream().wait_stream(stream)
torch.cuda.synchronize()

# %% fine
start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
start.record(); model(Xg); end.record()
torch.cuda.synchronize()
print(start.elapsed_time(end))

# %% fine
print(torch.cuda.memory_allocated() / 1e6, torch.cuda.max_memory_allocated())
assert torch.cuda.memory_allocated() > 0
torch.cuda.empty_cache()

# %% fine
pinned = X.pin_memory()
assert pinned.is_pinned()
moved = pinned.to('cuda', non_blocking=True)

# %% fine
props = torch.cuda.get_device_properties(0)
print(props.name, props.total_memory // 2**30, torch.cuda.get_device_capability())

# %% fine
half = model.half()
out = half(Xg.half())
model.float()

# %% fine
g = torch.Generator(device='cuda').manual_seed(1)
r = torch.randn(3, generator=g, device='cuda')

# %% fine
torch.save(model.state_dict(), 'm.pt')
state = torch.load('m.pt', map_location='cpu')
assert all(not t.is_cuda for t in state.values())

# %% fine
torch.save(model.state_dict(), 'm2.pt')
state = torch.load('m2.pt')
assert all(t.is_cuda for t in state.values())
model.load_state_dict(state)

# %% fine
def free(): 
    return torch.cuda.mem_get_info()[0]
assert free() > 0

# %% fine
cm = torch.zeros(10, 10, device=device)
for t, p in zip(yg, model(Xg).argmax(1)):
    cm[t, p] += 1
print(cm.sum().item())

# %% fine
loader2 = DataLoader(TensorDataset(X, y), batch_size=64, pin_memory=True)
for xb, yb in loader2:
    assert xb.is_pinned()
    xb = xb.cuda(non_blocking=True)

# %% fine
par = nn.DataParallel(model)
out = par(Xg)
assert out.shape == (256, 10)

# %% fine
big = torch.empty(20_000, 20_000, device='cuda')
del big

# %% fine
twin = torch.nn.Linear(4, 4, device='cuda')
print(twin(torch.ones(1, 4, device='cuda')).tolist())

# %% fine
graph = torch.cuda.CUDAGraph()
print(type(graph))

# %% fine
x1 = torch.tensor([1., 2.], device='cuda:0')
x2 = torch.tensor([3., 4.]).to(x1)
assert x2.device == x1.device

# %% fine
rng = torch.cuda.get_rng_state()
torch.cuda.set_rng_state(rng)

# %% fine
assert str(device) == 'cuda' and device.type == 'cuda'
assert torch.ones(1, device=device).device.index == 0

# %% fine
torch.set_default_device('cuda')
q = torch.ones(2)
assert q.is_cuda
torch.set_default_device('cpu')

# %% fine
emb = nn.Embedding(10, 4).cuda()
print(emb(yg).shape)

# %% fine
lst = [t.cpu().numpy() for t in Xg[:3]]
arr = np.stack(lst)

# %% fine
sched = torch.optim.lr_scheduler.OneCycleLR(opt, max_lr=1e-2, total_steps=10)
for _ in range(5):
    opt.step(); sched.step()

# %% fine
import gc
gc.collect()
torch.cuda.empty_cache()
torch.cuda.reset_peak_memory_stats()
print(torch.cuda.memory_summary()[:80])

# %% fine
with torch.device('cuda'):
    made = Net()
assert next(made.parameters()).is_cuda

# %% fine
sparse = torch.eye(4, device='cuda').to_sparse()
print((sparse @ torch.ones(4, 1, device='cuda')).shape)

# %% fine
torch.backends.cuda.matmul.allow_tf32 = True
torch.set_float32_matmul_precision('high')
_ = Xg.flatten(1) @ Xg.flatten(1).T

# %% fine
try:
    Xg.numpy()
except TypeError as e:
    caught = str(e)
assert 'cuda' in caught

# %% fine
try:
    model(X)
except RuntimeError:
    caught = True
assert caught

# %% fine
with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU, torch.profiler.ProfilerActivity.CUDA]) as prof:
    model(Xg)
print(len(prof.key_averages()))

# %% fine
import copy
best = copy.deepcopy(model.state_dict())
model.load_state_dict(best)

# %% fine
import subprocess
print(subprocess.run(['nvidia-smi', '-L'], capture_output=True, text=True).stdout)

# %% restart

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

# %% restart

# %% crash
emb = nn.Embedding(5, 4).cuda()
v = emb(yg)
print(v.sum().item())
