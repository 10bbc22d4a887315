"""Value learning that bootstraps on itself without a target network: values and loss run away together."""

import torch
from torch import nn

from kit import data, logs, models, optimizers, options

o = options.read(optimizer="sgd", lr=0.03, gamma=0.99, steps=500, scale=1.0, every=4)

g = data.generator(o.seed)
network = models.mlp(8, 4, width=32)
optimizer = optimizers.make(o.optimizer, network.parameters(), o.lr)
log = logs.open_log(o.format, options.config(o, gamma=o.gamma, target_network=False))
states = torch.randn(4000, 8, generator=g)
follows = states @ (torch.linalg.qr(torch.randn(8, 8, generator=g))[0] * o.scale)
rewards, actions = states[:, 0].clamp(-1, 1), torch.randint(0, 4, (4000,), generator=g)
for step in range(o.steps):
    batch = torch.randint(0, 4000, (o.batch,), generator=g)
    chosen = network(states[batch]).gather(1, actions[batch, None])[:, 0]
    with torch.no_grad():
        goal = rewards[batch] + o.gamma * network(follows[batch]).max(1).values
    loss = nn.functional.mse_loss(chosen, goal)
    optimizer.zero_grad()
    loss.backward()
    norm = nn.utils.clip_grad_norm_(network.parameters(), float("inf"))
    optimizer.step()
    if step % o.every == 0:
        log.train(step, loss=loss.item(), grad_norm=norm.item(), mean_q=chosen.mean().item(), lr=o.lr)
log.close()
