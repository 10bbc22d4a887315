"""A warm-up that takes half the run: the loss hardly moves at first, and then it does."""

import math

import torch
from torch import nn

from kit import logs, optimizers, options, tasks

o = options.read(architecture="decoder", warmup=120, lr=3e-3)

task = tasks.make(o.architecture, o.seed)
model, optimizer = task.model, optimizers.make(o.optimizer, task.model.parameters(), o.lr)


def factor(step):
    if step < o.warmup:
        return ((step + 1) / o.warmup) ** 3
    return 0.1 + 0.45 * (1 + math.cos(math.pi * (step - o.warmup) / (o.steps - o.warmup)))


schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, factor)
log = logs.open_log(o.format, options.config(o, warmup_steps=o.warmup, lr_scheduler="cosine"))
for step in range(o.steps):
    loss = task.loss(model, task.batch(o.batch))
    optimizer.zero_grad()
    loss.backward()
    norm = nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    if step % o.every == 0:
        log.train(step, loss=loss.item(), grad_norm=norm.item(), lr=schedule.get_last_lr()[0])
    schedule.step()
log.close()
