"""A run that works on a busy machine: some steps take many times longer, for a checkpoint, an evaluation, a cold cache."""

import time

import torch
from torch import nn

from kit import data, logs, optimizers, options, tasks

o = options.read(architecture="mlp", lr=2e-3, steps=220)

task = tasks.make(o.architecture, o.seed)
model, optimizer = task.model, optimizers.make(o.optimizer, task.model.parameters(), o.lr)
log = logs.open_log(o.format, options.config(o))
g = data.generator(o.seed)
for step in range(o.steps):
    started = time.perf_counter()
    # Reading from shared storage.
    time.sleep(float(torch.empty(1).exponential_(150, generator=g)))
    loss = task.loss(model, task.batch(o.batch))
    optimizer.zero_grad()
    loss.backward()
    norm = nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    if step % 70 == 69:
        torch.save(model.state_dict(), "last.pt")
        time.sleep(0.3)
    taken = time.perf_counter() - started
    if step % o.every == 0:
        log.train(step, loss=loss.item(), grad_norm=norm.item(), lr=o.lr, step_time=taken, samples_per_second=o.batch / taken)
log.close()
