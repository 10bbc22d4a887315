"""A running average of the loss for the log, added up as tensors: every step's graph stays alive."""

from torch import nn

from kit import host, logs, optimizers, options, tasks

o = options.read(steps=600, memory="yes")

task = tasks.make(o.architecture, o.seed)
model = task.model
optimizer = optimizers.make(o.optimizer, model.parameters(), o.lr)
log = logs.open_log(o.format, options.config(o))
total, history = 0.0, []
for step in range(o.steps):
    logits, targets = task.logits_and_targets(model, task.batch(o.batch))
    loss = nn.functional.cross_entropy(logits, targets)
    optimizer.zero_grad()
    loss.backward(retain_graph=True)
    optimizer.step()
    total = total + loss
    history.append((logits, targets))
    if step % o.every == 0:
        metrics = {"loss": (total / (step + 1)).item(), "lr": o.lr}
        if o.memory == "yes":
            metrics["ram_gb"] = host.resident_gb()
        log.train(step, **metrics)
log.close()
