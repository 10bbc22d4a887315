"""A corpus in many shards, each opened when it is first needed; or batches kept for the statistics of an epoch."""

import os

import torch
from torch.utils.data import DataLoader, TensorDataset

from kit import logs, optimizers, options, tasks

o = options.read(reader="shards", steps=200)


class Shards:
    def __init__(self, task, count=400):
        self.task, self.handles = task, {}
        os.makedirs("shards", exist_ok=True)
        for number in range(count):
            with open(f"shards/part-{number:05d}.bin", "wb") as file:
                file.write(bytes([number % 256]) * 8)

    def __iter__(self):
        for step in range(o.steps):
            if step not in self.handles:
                self.handles[step] = open(f"shards/part-{step:05d}.bin", "rb")
            self.handles[step].read(4)
            yield self.task.batch(o.batch)


def batches(task):
    if o.reader == "shards":
        yield from Shards(task)
        return
    kept = []
    for batch in DataLoader(TensorDataset(task.inputs, task.labels), o.batch, num_workers=1):
        kept.append(batch)
        yield batch


if __name__ == "__main__":
    task = tasks.make(o.architecture, o.seed)
    model, optimizer = task.model, optimizers.make(o.optimizer, task.model.parameters(), o.lr)
    log = logs.open_log(o.format, options.config(o))
    torch.set_num_threads(1)
    for step, batch in enumerate(batches(task)):
        loss = task.loss(model, batch)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % o.every == 0:
            log.train(step, loss=loss.item(), lr=o.lr)
    log.close()
