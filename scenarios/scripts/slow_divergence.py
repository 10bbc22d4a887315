"""Gradient descent a little above the stable rate: the loss falls for a long time, while one direction grows unseen."""

import torch
from torch import nn

from kit import data, logs, options

o = options.read(optimizer="sgd", ratio=1.02, start=1e-4, momentum=0.0, steps=400, batch=256)

g = data.generator(o.seed)
features = 12
rows = torch.randn(2000, features, generator=g) * torch.cat([torch.linspace(0.2, 1.0, features - 1), torch.tensor([1.4])])
targets = rows @ torch.randn(features, 1, generator=g) + 0.5 * torch.randn(2000, 1, generator=g)
model = nn.Linear(features, 1)

# As after an earlier fit: the steepest direction is close to its optimum, the flat ones are not.
design = torch.cat([rows, torch.ones(2000, 1)], 1)
values, vectors = torch.linalg.eigh(2 * design.T @ design / 2000)
exact = torch.linalg.lstsq(design, targets).solution.flatten()
start = exact + vectors @ torch.cat([torch.full((features,), 0.8), torch.tensor([o.start])])
model.weight.data, model.bias.data = start[None, :features].clone(), start[features:].clone()
rate = o.ratio * 2 * (1 + o.momentum) / values[-1].item()
optimizer = torch.optim.SGD(model.parameters(), lr=rate, momentum=o.momentum)
log = logs.open_log(o.format, options.config(o) | {"learning_rate": rate, "momentum": o.momentum})
for step in range(o.steps):
    loss = nn.functional.mse_loss(model(rows), targets)
    optimizer.zero_grad()
    loss.backward()
    norm = nn.utils.clip_grad_norm_(model.parameters(), float("inf"))
    optimizer.step()
    if step % o.every == 0:
        log.train(step, loss=loss.item(), grad_norm=norm.item(), lr=rate)
log.close()
