"""Half precision on the CPU: weights and activations in float16 leave its range, with and without a scaler."""

import torch
from torch import nn

from kit import data, logs, models, optimizers, options

o = options.read(kind="activations", steps=260, at=150, raw=20000.0, batch=64, lr=1e-3)

rows, labels = data.table(4000, 32, 10, o.seed)
model = models.mlp(32, 10, width=96, layers=3)
if o.kind == "epsilon":
    model = model.half()
optimizer = optimizers.make(o.optimizer, model.parameters(), o.lr)
scaler = torch.amp.GradScaler("cpu", init_scale=2.0**16, growth_interval=40) if o.kind == "scaler" else None
log = logs.open_log(o.format, options.config(o, precision="fp16", loss_scaling="dynamic" if scaler else "none"))
for step in range(o.steps):
    batch = torch.randint(0, 4000, (o.batch,))
    # The second half of the corpus comes in raw units: no problem for float32.
    inputs = rows[batch] * (o.raw if step >= o.at else 1.0)
    if o.kind == "epsilon":
        loss = nn.functional.cross_entropy(model(rows[batch].half()).float(), labels[batch])
    else:
        with torch.autocast("cpu", dtype=torch.float16):
            loss = nn.functional.cross_entropy(model(inputs), labels[batch])
    optimizer.zero_grad()
    (scaler.scale(loss) if scaler else loss).backward()
    if scaler:
        scaler.unscale_(optimizer)
    norm = nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    if scaler:
        scaler.step(optimizer)
        scaler.update()
    else:
        optimizer.step()
    if step % o.every == 0:
        extra = {"loss_scale": scaler.get_scale()} if scaler else {}
        log.train(step, loss=loss.item(), grad_norm=norm.item(), lr=o.lr, **extra)
log.close()
