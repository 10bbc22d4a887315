# A generated picture still has its channel in front.
# short: EPOCHS = 1
# raises: TypeError
# %%
import matplotlib.pyplot as plt
import torch
from torch import nn

EPOCHS = 20_000
real = torch.rand(3200, 1, 28, 28)
generator = nn.Sequential(nn.Linear(16, 256), nn.ReLU(), nn.Linear(256, 784), nn.Sigmoid(), nn.Unflatten(1, (1, 28, 28)))
critic = nn.Sequential(nn.Flatten(), nn.Linear(784, 256), nn.LeakyReLU(0.2), nn.Linear(256, 1))
g_optimizer = torch.optim.Adam(generator.parameters(), lr=2e-4)
c_optimizer = torch.optim.Adam(critic.parameters(), lr=2e-4)
bce = nn.BCEWithLogitsLoss()
# %% train
for epoch in range(EPOCHS):
    for batch in real.split(64):
        noise = torch.randn(len(batch), 16)
        fake = generator(noise)
        c_loss = bce(critic(batch), torch.ones(len(batch), 1)) + bce(critic(fake.detach()), torch.zeros(len(batch), 1))
        c_optimizer.zero_grad()
        c_loss.backward()
        c_optimizer.step()
        g_loss = bce(critic(fake), torch.ones(len(batch), 1))
        g_optimizer.zero_grad()
        g_loss.backward()
        g_optimizer.step()
# %% crash
with torch.no_grad():
    sample = generator(torch.randn(4, 16))
plt.imshow(sample[0], cmap="gray")
# %% instead
with torch.no_grad():
    sample = generator(torch.randn(4, 16))
plt.imshow(sample[0].squeeze(0), cmap="gray")
