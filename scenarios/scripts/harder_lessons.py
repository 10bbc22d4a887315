"""A curriculum: the loss jumps up whenever the data gets harder, and falls again each time."""

import torch
from torch import nn

from kit import data, logs, models, optimizers, options

o = options.read(kind="vocabulary", architecture="gru", lr=3e-3, stages=3)

each = o.steps // o.stages
if o.kind == "vocabulary":
    model = models.language_model(o.architecture, 64, width=48)
    streams = [data.token_stream(5000, 16 * 2**s, o.seed + s) for s in range(o.stages)]
else:
    model = models.classifier(o.architecture, 10)
    stages = [data.images(2500, 10, o.seed + s, noise=0.3 + 0.4 * s) for s in range(o.stages)]
optimizer = optimizers.make(o.optimizer, model.parameters(), o.lr)
log = logs.open_log(o.format, options.config(o, curriculum_stages=o.stages))
for step in range(o.steps):
    stage = min(step // each, o.stages - 1)
    if step % each == 0:
        print(f"=== curriculum stage {stage + 1}/{o.stages} at step {step}")
    if o.kind == "vocabulary":
        starts = torch.randint(0, 4900, (o.batch,))
        windows = torch.stack([streams[stage][s : s + 25] for s in starts.tolist()])
        loss = nn.functional.cross_entropy(model(windows[:, :-1]).flatten(0, 1), windows[:, 1:].flatten())
    else:
        batch = torch.randint(0, 2500, (o.batch,))
        loss = nn.functional.cross_entropy(model(stages[stage][0][batch]), stages[stage][1][batch])
    optimizer.zero_grad()
    loss.backward()
    norm = nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    if step % o.every == 0:
        log.train(step, loss=loss.item(), grad_norm=norm.item(), lr=o.lr)
log.close()
