"""Runs that reached what the data allows and stay there, flat, for most of their time."""

from torch import nn

from kit import logs, optimizers, options, tasks

o = options.read(architecture="lstm", lr=5e-3, steps=400, every=4)

task = tasks.make(o.architecture, o.seed)
model, optimizer = task.model, optimizers.make(o.optimizer, task.model.parameters(), o.lr)
log = logs.open_log(o.format, options.config(o))
for step in range(o.steps):
    for group in optimizer.param_groups:
        group["lr"] = o.lr * (1 - step / o.steps) + 1e-6
    loss = task.loss(model, task.batch(o.batch))
    optimizer.zero_grad()
    loss.backward()
    norm = nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    if step % o.every == 0:
        log.train(step, loss=loss.item(), grad_norm=norm.item(), lr=optimizer.param_groups[0]["lr"])
    if step % 100 == 99:
        held_out, accuracy = task.evaluate(model)
        log.eval(step, loss=held_out, accuracy=accuracy)
log.close()
