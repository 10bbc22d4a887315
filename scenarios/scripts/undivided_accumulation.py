"""Gradient accumulation that adds up many micro-batches without dividing: every step is as many times too long."""

from torch import nn

from kit import logs, optimizers, options, tasks

o = options.read(accumulate=32, steps=150, batch=8, optimizer="sgd", lr=0.5)

task = tasks.make(o.architecture, o.seed)
model = task.model
optimizer = optimizers.make(o.optimizer, model.parameters(), o.lr)
log = logs.open_log(o.format, options.config(o, gradient_accumulation_steps=o.accumulate))
for step in range(o.steps):
    optimizer.zero_grad()
    total = 0.0
    for _ in range(o.accumulate):
        loss = task.loss(model, task.batch(o.batch))
        loss.backward()
        total += loss.item()
    norm = nn.utils.clip_grad_norm_(model.parameters(), float("inf"))
    optimizer.step()
    if step % o.every == 0:
        log.train(step, loss=total / o.accumulate, grad_norm=norm.item(), lr=o.lr)
log.close()
