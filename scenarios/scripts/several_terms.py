"""A variational autoencoder: the total falls while one of its terms rises from zero, because its weight is annealed."""

import torch
from torch import nn

from kit import data, logs, models, optimizers, options

o = options.read(lr=2e-3, steps=300, anneal=150)

pictures, _ = data.images(3000, 6, o.seed, size=8, noise=0.3)
flat = pictures.flatten(1)
encode, decode = models.mlp(64, 8, width=48), models.mlp(4, 64, width=48)
optimizer = optimizers.make(o.optimizer, [*encode.parameters(), *decode.parameters()], o.lr)
log = logs.open_log(o.format, options.config(o, kl_anneal_steps=o.anneal))
for step in range(o.steps):
    x = flat[torch.randint(0, 3000, (o.batch,))]
    mean, deviation = encode(x).chunk(2, 1)
    z = mean + torch.randn_like(mean) * (0.5 * deviation).exp()
    reconstruction = nn.functional.mse_loss(decode(z), x, reduction="none").sum(1).mean()
    divergence = -0.5 * (1 + deviation - mean**2 - deviation.exp()).sum(1).mean()
    weight = min(1.0, step / o.anneal)
    loss = reconstruction + weight * divergence
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % o.every == 0:
        log.train(step, loss=loss.item(), recon_loss=reconstruction.item(), kl_loss=divergence.item(), kl_weight=weight, lr=o.lr)
log.close()
