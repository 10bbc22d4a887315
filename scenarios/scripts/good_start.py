"""Fine-tuning from a good checkpoint: the loss is low from the first step and improves little."""

import torch
from torch import nn

from kit import logs, optimizers, options, tasks

o = options.read(architecture="encoder", lr=2e-5, steps=160, before=200)

task = tasks.make(o.architecture, o.seed)
model, optimizer = task.model, optimizers.make("adamw", task.model.parameters(), 2e-3)
for _ in range(o.before):
    loss = task.loss(model, task.batch(32))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
torch.save(model.state_dict(), "base.pt")

model.load_state_dict(torch.load("base.pt"))
optimizer = optimizers.make(o.optimizer, model.parameters(), o.lr)
log = logs.open_log(o.format, options.config(o, init_from="base.pt"))
print("loaded base.pt: all keys matched")
for step in range(o.steps):
    loss = task.loss(model, task.batch(o.batch))
    optimizer.zero_grad()
    loss.backward()
    norm = nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    if step % o.every == 0:
        log.train(step, loss=loss.item(), grad_norm=norm.item(), lr=o.lr)
    if step % 40 == 39:
        held_out, accuracy = task.evaluate(model)
        log.eval(step, loss=held_out, accuracy=accuracy)
log.close()
