"""A few batches of garbage in the crawl: the loss jumps for a step or two, and the run recovers by itself."""

import torch
from torch import nn

from kit import data, logs, optimizers, options, tasks

o = options.read(architecture="decoder", lr=2e-3, spikes=3)

task = tasks.make(o.architecture, o.seed)
model, optimizer = task.model, optimizers.make(o.optimizer, task.model.parameters(), o.lr)
log = logs.open_log(o.format, options.config(o))
bad = {int(o.steps * (i + 1) / (o.spikes + 1)) // o.every * o.every for i in range(o.spikes)}
for step in range(o.steps):
    batch = task.batch(o.batch)
    if step in bad:
        batch = (batch[0], batch[1].flip(0)) if batch[1].ndim == 1 else (batch[0].flip(1), batch[1])
    loss = task.loss(model, batch)
    optimizer.zero_grad()
    loss.backward()
    norm = nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    if step % o.every == 0:
        log.train(step, loss=loss.item(), grad_norm=norm.item(), lr=o.lr)
log.close()
print("done")
