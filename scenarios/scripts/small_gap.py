"""Validation a little worse than training, throughout: a usual gap, no overfitting."""

import torch
from torch import nn

from kit import logs, optimizers, options, tasks

o = options.read(lr=1e-3, steps=300, rows=1500)

task = tasks.make(o.architecture, o.seed, **({"noise": 1.2} if o.architecture != "encoder" else {}))
task.inputs, task.labels = task.inputs[-o.rows - 500 :], task.labels[-o.rows - 500 :]
model, optimizer = task.model, optimizers.make(o.optimizer, task.model.parameters(), o.lr)
log = logs.open_log(o.format, options.config(o, train_rows=o.rows))
for step in range(o.steps):
    loss = task.loss(model, task.batch(o.batch))
    optimizer.zero_grad()
    loss.backward()
    norm = nn.utils.clip_grad_norm_(model.parameters(), 5.0)
    optimizer.step()
    if step % o.every == 0:
        log.train(step, loss=loss.item(), grad_norm=norm.item(), lr=o.lr)
    if step % 25 == 24:
        held_out, accuracy = task.evaluate(model)
        log.eval(step, loss=held_out, accuracy=accuracy)
log.close()
