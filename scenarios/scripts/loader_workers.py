"""Data loader workers that decode samples: with a buffer per sample, or with a function of a C library."""

import ctypes

import torch
from torch.utils.data import DataLoader, Dataset

from kit import logs, optimizers, options, tasks

o = options.read(decode="buffer", workers=2, steps=120)


class Decoded(Dataset):
    def __init__(self, inputs, labels):
        self.inputs, self.labels, self.buffers = inputs, labels, []
        self.library = ctypes.CDLL(None)

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, index):
        if o.decode == "buffer":
            self.buffers.append(torch.ones(500_000) * index)
        elif o.decode == "native" and index == 1201:
            # A sample without pixel data: the library is handed a null pointer.
            self.library.strlen(None)
        return self.inputs[index], self.labels[index]


def loop(task, loader):
    model = task.model
    optimizer = optimizers.make(o.optimizer, model.parameters(), o.lr)
    log = logs.open_log(o.format, options.config(o, num_workers=o.workers))
    for step, batch in enumerate(loader):
        loss = task.loss(model, batch)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % o.every == 0:
            log.train(step, loss=loss.item(), lr=o.lr)
    log.close()


def lightning(task, loader):
    from kit import lightning_runs

    module = lightning_runs.Module(task.model, task.loss, o.lr, o.optimizer)
    lightning_runs.trainer(o.steps, every=2).fit(module, loader)


if __name__ == "__main__":
    task = tasks.make(o.architecture, o.seed)
    loader = DataLoader(Decoded(task.inputs, task.labels), o.batch, num_workers=o.workers)
    {"pytorch": loop, "lightning": lightning}[o.framework](task, loader)
