# %% setup
import torch, torch.nn as nn, torch.nn.functional as F

# %% setup
torch.manual_seed(11)
device = torch.device("cuda")


class Mixer(nn.Module):
    def __init__(self, width=4096, depth=8, classes=50):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(width, width) for _ in range(depth)])
        self.drop = nn.Dropout(0.1)
        self.head = nn.Linear(width, classes)
        self.scale = torch.ones(width)

    def forward(self, x, scaled=False):
        for layer in self.layers:
            x = self.drop(F.gelu(layer(x)))
        return self.head(x * self.scale if scaled else x)


model = Mixer().to(device)
opt = torch.optim.AdamW(model.parameters(), 1e-4)
features = torch.randn(4096, 4096, device=device)
labels = torch.randint(0, 50, (4096,), device=device)
names = [f"class {i}" for i in range(50)]

# %% setup
loss = F.cross_entropy(model(features[:64]), labels[:64])
loss.backward()
opt.step()
opt.zero_grad()

# %% fine
for i in range(0, 512, 64):
    loss = F.cross_entropy(model(features[i : i + 64]), labels[i : i + 64])
    loss.backward()
    opt.step()
    opt.zero_grad()
print(loss.item())

# %% crash
out = model(features[:64], scaled=True)

# %% fine
model.eval()
with torch.no_grad():
    predicted = model(features[:256]).argmax(1)
accuracy = (predicted == labels[:256]).float().mean().item()

# %% crash
history = [names[i] for i in predicted.cpu().numpy()] + [names[50]]

# %% fine
shown = [names[i] for i in predicted[:8].tolist()]

# %% crash
probs = model(features[:8]).softmax(1).cpu().numpy()

# %% fine
probs = model(features[:8]).softmax(1).detach().cpu().numpy()

# %% crash
half = model(features[:8].half())

# %% fine
with torch.autocast("cuda", dtype=torch.bfloat16):
    half = model(features[:8])

# %% crash
loss = F.cross_entropy(model(features[:64]), labels[:32])

# %% fine
model.train()
total = 0.0
for xb, yb in zip(features.split(128)[:4], labels.split(128)[:4]):
    loss = F.cross_entropy(model(xb), yb, label_smoothing=0.1)
    opt.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    opt.step()
    total += loss.item()

# %% crash
weights = torch.ones(50)
loss = F.cross_entropy(model(features[:64]), labels[:64], weight=weights)

# %% fine
weights = torch.ones(50, device=device)
loss = F.cross_entropy(model(features[:64]), labels[:64], weight=weights)

# %% crash
shifted = labels[:64] + 10
loss = F.cross_entropy(model(features[:64]), shifted)
