"""Models built on the meta device to save memory at start, and parts of them that stay there."""

import torch
from torch import nn

from kit import logs, optimizers, options, tasks

o = options.read(part="move", steps=80)

task = tasks.make(o.architecture, o.seed)
log = logs.open_log(o.format, options.config(o))
if o.part == "move":
    with torch.device("meta"):
        model = nn.Sequential(nn.Linear(16, 64), nn.ReLU(), nn.Linear(64, 10))
    print("skeleton built")
    model = model.to("cpu")
else:
    model = task.model
    with torch.device("meta"):
        model.head = nn.Linear(model.head.in_features, model.head.out_features)
optimizer = optimizers.make(o.optimizer, model.parameters(), o.lr)
for step in range(o.steps):
    loss = task.loss(model, task.batch(o.batch))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    log.train(step, loss=loss.item(), lr=o.lr)
log.close()
