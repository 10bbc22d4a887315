"""Shards of pictures and signals of which one is spoiled: missing values, readings of a broken sensor."""

import numpy as np
import torch
from torch import nn

from kit import logs, optimizers, options, tasks

o = options.read(architecture="cnn", shard=3, spoil="nan", steps=240)

task = tasks.make(o.architecture, o.seed)
per_shard = 500
for number in range(5):
    pictures = task.inputs[number * per_shard : (number + 1) * per_shard].numpy().copy()
    if number == o.shard:
        pictures[240:] = np.nan if o.spoil == "nan" else pictures[240:] / np.float32(0)
    np.savez_compressed(f"shard-{number}.npz", x=pictures.astype("float16"), y=task.labels[number * per_shard : (number + 1) * per_shard].numpy())

model = task.model
optimizer = optimizers.make(o.optimizer, model.parameters(), o.lr)
log = logs.open_log(o.format, options.config(o, shards=5))
step = 0
for epoch in range(4):
    for number in range(5):
        with np.load(f"shard-{number}.npz") as shard:
            x, y = torch.tensor(shard["x"], dtype=torch.float32), torch.tensor(shard["y"])
        for batch in torch.randperm(per_shard).split(o.batch):
            if step >= o.steps:
                break
            loss = nn.functional.cross_entropy(model(x[batch]), y[batch])
            optimizer.zero_grad()
            loss.backward()
            norm = nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            if step % o.every == 0:
                log.train(step, loss=loss.item(), grad_norm=norm.item(), lr=o.lr, shard=float(number))
            step += 1
log.close()
