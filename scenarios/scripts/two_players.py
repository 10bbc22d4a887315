"""A small GAN on points of a ring: both losses swing around their balance, as they should."""

import torch
from torch import nn

from kit import data, logs, models, optimizers, options

o = options.read(lr=1e-3, steps=400, every=4, batch=64, optimizer="adam")

g = data.generator(o.seed)
generator, critic = models.mlp(8, 2, width=32), models.mlp(2, 1, width=32)
makers, judges = (optimizers.make(o.optimizer, m.parameters(), o.lr) for m in (generator, critic))
log = logs.open_log(o.format, options.config(o, latent=8))
real_label, fake_label = torch.ones(o.batch, 1), torch.zeros(o.batch, 1)
judge = nn.functional.binary_cross_entropy_with_logits
for step in range(o.steps):
    angle = 6.2832 * torch.rand(o.batch, 1, generator=g)
    real = torch.cat([angle.cos(), angle.sin()], 1) + 0.05 * torch.randn(o.batch, 2, generator=g)
    fake = generator(torch.randn(o.batch, 8, generator=g))
    loss_d = judge(critic(real), 0.9 * real_label) + judge(critic(fake.detach()), fake_label)
    judges.zero_grad()
    loss_d.backward()
    judges.step()
    loss_g = judge(critic(fake), real_label)
    makers.zero_grad()
    loss_g.backward()
    makers.step()
    if step % o.every == 0:
        log.train(step, loss=loss_g.item(), loss_d=loss_d.item(), loss_g=loss_g.item(), lr=o.lr)
log.close()
print("training finished")
