"""Mixed precision whose scaler skips its first steps, halves now and then, and settles."""

import torch
from torch import nn

from kit import data, logs, models, optimizers, options

o = options.read(lr=1e-3, steps=240, batch=64, start=20)

rows, labels = data.table(4000, 32, 10, o.seed)
model = models.mlp(32, 10, width=64)
optimizer = optimizers.make(o.optimizer, model.parameters(), o.lr)
scaler = torch.amp.GradScaler("cpu", init_scale=2.0**o.start, growth_interval=60)
log = logs.open_log(o.format, options.config(o, precision="fp16"))
for step in range(o.steps):
    batch = torch.randint(0, 4000, (o.batch,))
    with torch.autocast("cpu", dtype=torch.float16):
        loss = nn.functional.cross_entropy(model(rows[batch]), labels[batch])
    optimizer.zero_grad()
    scaler.scale(loss).backward()
    scaler.unscale_(optimizer)
    norm = nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    scaler.step(optimizer)
    scaler.update()
    if step % o.every == 0:
        log.train(step, loss=loss.item(), grad_norm=norm.item() if norm.isfinite() else 0.0, lr=o.lr, loss_scale=scaler.get_scale())
log.close()
