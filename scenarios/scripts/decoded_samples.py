"""A data set that keeps every decoded sample for the next epoch, on a machine whose memory does not hold them all."""

import numpy as np
import torch
from torch import nn

from kit import host, logs, optimizers, options, tasks

o = options.read(store="torch", sample_mb=4.0, steps=400)


class Samples:
    """Decoding is slow, so every sample is decoded once."""

    def __init__(self, task):
        self.task, self.decoded = task, {}

    def decode(self, index):
        size = int(o.sample_mb * 2**20 / 4)
        if o.store == "numpy":
            return np.ones((size // 256, 256), dtype=np.float32) * index
        return torch.full((size,), float(index))

    def batch(self, step):
        for index in range(step * 2, step * 2 + 2):
            if index not in self.decoded:
                self.decoded[index] = self.decode(index)
        return self.task.batch(o.batch)


task = tasks.make(o.architecture, o.seed)
samples = Samples(task)
optimizer = optimizers.make(o.optimizer, task.model.parameters(), o.lr)
log = logs.open_log(o.format, options.config(o))
for step in range(o.steps):
    loss = task.loss(task.model, samples.batch(step))
    optimizer.zero_grad()
    loss.backward()
    norm = nn.utils.clip_grad_norm_(task.model.parameters(), 1.0)
    optimizer.step()
    if step % o.every == 0:
        log.train(step, loss=loss.item(), grad_norm=norm.item(), lr=o.lr, memory_gb=host.resident_gb())
log.close()
