# %% setup
import io, copy, torch, torch.nn as nn, torch.nn.functional as F
import numpy as np
from safetensors.torch import save_file, load_file

# %% setup
torch.manual_seed(13)
device = 'cuda'
def make(width=32, classes=7):
    return nn.Sequential(nn.Linear(10, width), nn.BatchNorm1d(width), nn.ReLU(), nn.Linear(width, classes))
model = make().to(device)
teacher = make(64).to(device).eval()
student = make(16)
opt = torch.optim.Adam(model.parameters(), 1e-3)
x, y = torch.randn(40, 10, device=device), torch.randint(0, 7, (40,), device=device)
F.cross_entropy(model(x), y).backward(); opt.step()
torch.save({'model': model.state_dict(), 'opt': opt.state_dict()}, 'at.pt')
save_file(model.state_dict(), 'at.safetensors')

# %% setup
saved = torch.load('at.pt', map_location='cpu')

# %% fine
model.load_state_dict(saved['model'])
opt.load_state_dict(saved['opt'])
F.cross_entropy(model(x), y).backward(); opt.step()

# %% crash
wider = make(48).to(device)
wider.load_state_dict(saved['model'])

# %% crash
model.load_state_dict(saved)

# %% crash
prefixed = {'module.' + k: v for k, v in saved['model'].items()}
model.load_state_dict(prefixed)

# %% fine
prefixed = {'module.' + k: v for k, v in saved['model'].items()}
model.load_state_dict({k.removeprefix('module.'): v for k, v in prefixed.items()})

# %% crash
delta = {k: model.state_dict()[k] - saved['model'][k] for k in saved['model']}

# %% fine
delta = {k: model.state_dict()[k].cpu() - saved['model'][k] for k in saved['model']}
print(sum(v.float().abs().sum().item() for v in delta.values()))

# %% crash
loaded = load_file('at.safetensors')
out = F.linear(x, loaded['0.weight'], loaded['0.bias'])

# %% fine
loaded = load_file('at.safetensors', device=device)
out = F.linear(x, loaded['0.weight'], loaded['0.bias'])

# %% crash
soft = F.kl_div(student(x).log_softmax(1), teacher(x).softmax(1), reduction='batchmean')

# %% fine
student = student.to(device)
soft = F.kl_div(student(x).log_softmax(1), teacher(x).softmax(1), reduction='batchmean')
print(soft.item())

# %% crash
opt2 = torch.optim.Adam(student.parameters(), 1e-3)
opt2.load_state_dict({'state': {}, 'param_groups': []})

# %% crash
model[3] = nn.Linear(32, 4)
out = model(x)

# %% fine
model[3] = nn.Linear(32, 7).to(device)
out = model(x)

# %% crash
frozen = copy.deepcopy(model).requires_grad_(False)
loss = F.cross_entropy(frozen(x), y)
loss.backward()

# %% crash
best = torch.load('best.pt', map_location=device)

# %% crash
w = model[0].weight
w += 0.1

# %% fine
with torch.no_grad():
    model[0].weight += 0.1

# %% crash
averaged = sum(p for p in [model[0].weight, student[0].weight]) / 2

# %% crash
norms = {k: np.linalg.norm(v) for k, v in model.state_dict().items()}

# %% fine
norms = {k: np.linalg.norm(v.cpu()) for k, v in model.state_dict().items()}
print(norms['0.weight'])
