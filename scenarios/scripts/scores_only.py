"""Only the accuracy after each epoch is written, and it does not move. Why it does not is not to be seen."""

import torch

from kit import logs, optimizers, options, tasks

o = options.read(kind="rate", epochs=14, each=25)

task = tasks.make(o.architecture, o.seed)
model = task.model
if o.kind == "labels":
    task.labels = task.labels[torch.randperm(len(task.labels))]
if o.kind == "frozen":
    held = [p.requires_grad_(False) for p in model.parameters()][-1]
    held.requires_grad_(True)
if o.kind == "blank":
    task.inputs = torch.zeros_like(task.inputs)
    task.held_out = torch.zeros_like(task.held_out[0]), task.held_out[1]
optimizer = optimizers.make(o.optimizer, model.parameters(), 1e-9 if o.kind == "rate" else o.lr)
log = logs.open_log(o.format, {"dataset": "v3", "epochs": o.epochs})
for epoch in range(o.epochs):
    for _ in range(o.each):
        loss = task.loss(model, task.batch(o.batch))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    log.eval(epoch, accuracy=task.evaluate(model)[1])
log.close()
