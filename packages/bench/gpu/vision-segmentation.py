# %% setup
import torch, torch.nn as nn, torch.nn.functional as F
import numpy as np
import torchvision
from torchvision.transforms import v2
from torch.utils.data import DataLoader, Dataset

# %% setup
torch.manual_seed(0)
device = 'cuda'
class Down(nn.Module):
    def __init__(self, inp, out):
        super().__init__()
        self.body = nn.Sequential(nn.Conv2d(inp, out, 3, padding=1), nn.BatchNorm2d(out), nn.ReLU())
    def forward(self, x):
        return F.max_pool2d(self.body(x), 2)
class UNet(nn.Module):
    def __init__(self, classes=4):
        super().__init__()
        self.d1, self.d2 = Down(3, 16), Down(16, 32)
        self.up = nn.ConvTranspose2d(32, 16, 2, stride=2)
        self.head = nn.Conv2d(32, classes, 1)
        self.mean = torch.tensor([0.5, 0.4, 0.3]).view(1, 3, 1, 1)
    def forward(self, x):
        a = self.d1(x)
        b = self.up(self.d2(a))
        return F.interpolate(self.head(torch.cat([a, b], 1)), scale_factor=2)
    def normalised(self, x):
        return self((x - self.mean) / 0.2)
class Scenes(Dataset):
    def __init__(self, n=24):
        self.images = torch.rand(n, 3, 32, 32)
        self.masks = torch.randint(0, 4, (n, 32, 32))
        self.masks[:, :2] = 255
    def __len__(self): return len(self.images)
    def __getitem__(self, i): return self.images[i], self.masks[i]
scenes = Scenes()
loader = DataLoader(scenes, batch_size=8)
net = UNet().to(device)
opt = torch.optim.Adam(net.parameters(), 1e-3)
criterion = nn.CrossEntropyLoss(ignore_index=255)
weights = torch.tensor([1., 2., 2., 4.])

# %% setup
images, masks = next(iter(loader))
images, masks = images.to(device), masks.to(device)
loss = criterion(net(images), masks)
loss.backward(); opt.step()

# %% fine
net.train()
for x, m in loader:
    loss = criterion(net(x.to(device)), m.to(device))
    opt.zero_grad(); loss.backward(); opt.step()
print(loss.item())

# %% crash
out = net.normalised(images)

# %% fine
out = net((images - net.mean.to(device)) / 0.2)

# %% crash
weighted = nn.CrossEntropyLoss(weight=weights, ignore_index=255)
loss = weighted(net(images), masks)

# %% fine
weighted = nn.CrossEntropyLoss(weight=weights.to(device), ignore_index=255)
loss = weighted(net(images), masks)
print(float(loss))

# %% crash
def dice(logits, target):
    hot = F.one_hot(target.clamp(max=3), 4).permute(0, 3, 1, 2)
    p = logits.softmax(1)
    return 1 - 2 * (p * hot).sum() / (p.sum() + hot.sum())
for x, m in loader:
    score = dice(net(x.to(device)), m)

# %% fine
scores = []
for x, m in loader:
    scores.append(dice(net(x.to(device)), m.to(device)).item())

# %% crash
pred = net(images).argmax(1)
iou = torch.zeros(4)
for c in range(4):
    iou[c] = ((pred == c) & (masks == c)).sum() / ((pred == c) | (masks == c)).sum()
print((iou / pred.float().mean((1, 2))).mean())

# %% fine
pred = net(images).argmax(1)
iou = torch.zeros(4)
for c in range(4):
    iou[c] = ((pred == c) & (masks == c)).sum() / ((pred == c) | (masks == c)).sum().clamp(min=1)
print(iou.mean())

# %% crash
odd = F.interpolate(images, size=(40, 40))
out = net(odd)
loss = criterion(out, masks)

# %% fine
even = F.interpolate(images, size=(64, 64))
out = net(even)
print(out.shape)

# %% crash
overlay = net(images)[0].softmax(0)
canvas = np.zeros((32, 32, 4))
canvas += overlay.permute(1, 2, 0).cpu().numpy()

# %% fine
overlay = net(images)[0].softmax(0)
canvas = np.zeros((32, 32, 4))
canvas += overlay.permute(1, 2, 0).detach().cpu().numpy()

# %% crash
augment = v2.Compose([v2.RandomHorizontalFlip(), v2.Normalize([0.5] * 3, [0.2] * 3)])
batch = augment((images * 255).to(torch.uint8))

# %% fine
augment = v2.Compose([v2.RandomHorizontalFlip(), v2.ToDtype(torch.float32, scale=True), v2.Normalize([0.5] * 3, [0.2] * 3)])
batch = augment((images * 255).to(torch.uint8))
assert batch.is_cuda

# %% crash
grey = images.mean(1, keepdim=True)
features = net.d1(grey)

# %% fine
grey = images.mean(1, keepdim=True).expand(-1, 3, -1, -1)
features = net.d1(grey)
print(features.shape)

# %% crash
boxes = torch.tensor([[0., 0., 8., 8.], [1., 1., 9., 9.]], device=device)
keep = torchvision.ops.nms(boxes, torch.tensor([0.9, 0.8]), 0.5)

# %% fine
boxes = torch.tensor([[0., 0., 8., 8.], [1., 1., 9., 9.]], device=device)
keep = torchvision.ops.nms(boxes, torch.tensor([0.9, 0.8], device=device), 0.5)
print(boxes[keep])

# %% crash
plain = nn.CrossEntropyLoss()
loss = plain(net(images), masks)
print(loss.item())
