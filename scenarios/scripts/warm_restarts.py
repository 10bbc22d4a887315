"""Cosine with warm restarts: the loss rises a little at each restart and ends lower."""

import torch
from torch import nn

from kit import logs, optimizers, options, tasks

o = options.read(architecture="cnn", lr=0.01, period=80, optimizer="momentum")

task = tasks.make(o.architecture, o.seed)
model, optimizer = task.model, optimizers.make(o.optimizer, task.model.parameters(), o.lr)
schedule = torch.optim.lr_scheduler.CosineAnnealingWarmRestarts(optimizer, o.period, eta_min=o.lr / 100)
log = logs.open_log(o.format, options.config(o, lr_scheduler="cosine_with_restarts", cycle_steps=o.period))
for step in range(o.steps):
    loss = task.loss(model, task.batch(o.batch))
    optimizer.zero_grad()
    loss.backward()
    norm = nn.utils.clip_grad_norm_(model.parameters(), float("inf"))
    optimizer.step()
    if step % o.every == 0:
        log.train(step, loss=loss.item(), grad_norm=norm.item(), lr=schedule.get_last_lr()[0])
    schedule.step()
log.close()
