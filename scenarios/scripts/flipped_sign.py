"""An objective with the wrong sign: the log-likelihood is minimised, so the loss falls without end."""

import torch
from torch import nn

from kit import logs, optimizers, options, tasks

o = options.read()

task = tasks.make(o.architecture, o.seed)
model = task.model
optimizer = optimizers.make(o.optimizer, model.parameters(), o.lr)
log = logs.open_log(o.format, options.config(o, objective="log_likelihood"))
for step in range(o.steps):
    logits, targets = task.logits_and_targets(model, task.batch(o.batch))
    loss = torch.log_softmax(logits, -1).gather(1, targets[:, None]).mean()
    optimizer.zero_grad()
    loss.backward()
    norm = nn.utils.clip_grad_norm_(model.parameters(), float("inf"))
    optimizer.step()
    if step % o.every == 0:
        log.train(step, loss=loss.item(), grad_norm=norm.item(), lr=o.lr)
    if step % 60 == 59:
        held_out, accuracy = task.evaluate(model)
        log.eval(step, loss=held_out, accuracy=accuracy)
log.close()
