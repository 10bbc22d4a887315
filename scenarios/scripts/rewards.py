"""REINFORCE on a bandit with contexts: the return rises, the surrogate loss wanders around zero as it should."""

import torch

from kit import data, logs, models, optimizers, options

o = options.read(lr=5e-3, steps=300, batch=64)

g = data.generator(o.seed)
policy = models.mlp(6, 4, width=32)
optimizer = optimizers.make(o.optimizer, policy.parameters(), o.lr)
log = logs.open_log(o.format, options.config(o, algorithm="reinforce", entropy_coef=0.01))
truth = torch.randn(6, 4, generator=g)
baseline = 0.0
for step in range(o.steps):
    states = torch.randn(o.batch, 6, generator=g)
    choice = torch.distributions.Categorical(logits=policy(states))
    actions = choice.sample()
    rewards = (states @ truth).gather(1, actions[:, None])[:, 0]
    loss = -(choice.log_prob(actions) * (rewards - baseline)).mean() - 0.01 * choice.entropy().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    baseline = 0.9 * baseline + 0.1 * rewards.mean().item()
    if step % o.every == 0:
        log.train(step, loss=loss.item(), episode_return=rewards.mean().item(), entropy=choice.entropy().mean().item(), lr=o.lr)
log.close()
