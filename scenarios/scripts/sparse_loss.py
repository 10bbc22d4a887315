"""A loop that prints the loss every so many steps and nothing else; somewhere in between it becomes NaN."""

import torch
from torch import nn

from kit import logs, optimizers, options, tasks

o = options.read(kind="rate", every=100, steps=800, at=330, lr=1e-3)

task = tasks.make(o.architecture, o.seed)
model, optimizer = task.model, optimizers.make(o.optimizer, task.model.parameters(), o.lr)
log = logs.open_log(o.format, {"architecture": o.architecture})
for step in range(o.steps):
    batch = task.batch(o.batch)
    if o.kind == "rate" and step == o.at:
        optimizer.param_groups[0]["lr"] = 1e18
    if o.kind == "row" and step == o.at:
        batch = (torch.full_like(batch[0], float("nan")), batch[1])
    logits, targets = task.logits_and_targets(model, batch)
    loss = nn.functional.cross_entropy(logits, targets)
    if step == o.at:
        if o.kind == "logarithm":
            loss = loss + torch.log(loss - loss)
        elif o.kind == "root":
            loss = loss + torch.sqrt(loss.detach() - loss)
        elif o.kind == "division":
            loss = loss * o.batch / (targets == task.classes).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % o.every == 0:
        log.train(step, loss=loss.item())
log.close()
