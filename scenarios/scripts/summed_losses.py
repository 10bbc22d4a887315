"""Losses that are sums over the batch: thousands, with gradient norms to match, and all is well."""

from torch import nn

from kit import data, logs, models, optimizers, options, tasks

o = options.read(kind="tokens", architecture="lstm", lr=2e-3)

if o.kind == "regression":
    rows, targets = data.regression(4000, 12, o.seed)
    targets = 300 * targets
    model = models.mlp(12, 1)
else:
    task = tasks.make(o.architecture, o.seed)
    model = task.model
optimizer = optimizers.make(o.optimizer, model.parameters(), o.lr)
log = logs.open_log(o.format, options.config(o, reduction="sum"))
for step in range(o.steps):
    if o.kind == "regression":
        batch = slice(step * o.batch % 3500, step * o.batch % 3500 + o.batch)
        loss = nn.functional.mse_loss(model(rows[batch]), targets[batch], reduction="sum")
    else:
        loss = nn.functional.cross_entropy(*task.logits_and_targets(model, task.batch(o.batch)), reduction="sum")
    optimizer.zero_grad()
    loss.backward()
    norm = nn.utils.clip_grad_norm_(model.parameters(), float("inf"))
    optimizer.step()
    if step % o.every == 0:
        log.train(step, loss=loss.item(), grad_norm=norm.item(), lr=o.lr)
log.close()
print("finished")
