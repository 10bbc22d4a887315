"""Losses with an operation that has no value, or no gradient, at a point that training reaches."""

import torch
from torch import nn

from kit import logs, optimizers, options, tasks

o = options.read(kind="log", anomaly="no", steps=300, lr=0.01)

task = tasks.make("mlp" if o.architecture == "mlp" else o.architecture, o.seed, **({"classes": 4, "noise": 0.0} if o.architecture == "mlp" else {}))
model = task.model
optimizer = optimizers.make(o.optimizer, model.parameters(), o.lr)
log = logs.open_log(o.format, options.config(o, objective=o.kind))


def objective(batch):
    logits, targets = task.logits_and_targets(model, batch)
    if o.kind == "log":
        probability = torch.softmax(logits, -1)
        others = 1 - probability.gather(1, targets[:, None])
        return -(torch.log(probability).gather(1, targets[:, None])).mean() - 0.01 * torch.log(others).mean().clamp(max=0)
    if o.kind == "sqrt":
        wrong = torch.softmax(logits, -1) - nn.functional.one_hot(targets, logits.shape[-1])
        return torch.sqrt((wrong**2).sum(-1)).mean()
    scores = torch.exp(logits)
    return -torch.log(scores.gather(1, targets[:, None])[:, 0] / scores.sum(-1)).mean()


if o.anomaly == "yes":
    torch.autograd.set_detect_anomaly(True)
for step in range(o.steps):
    loss = objective(task.batch(o.batch))
    optimizer.zero_grad()
    loss.backward()
    norm = nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    if step % o.every == 0:
        log.train(step, loss=loss.item(), grad_norm=norm.item(), lr=o.lr)
log.close()
