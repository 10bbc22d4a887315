"""Reading from storage that grants a burst of requests and then a fixed rate, as network volumes do."""

import time

from torch import nn

from kit import logs, optimizers, options, tasks

o = options.read(steps=200, burst=140, wait=0.5, every=4)


class Volume:
    """The requests of an hour are granted at once; beyond them, each waits."""

    def __init__(self):
        self.credit = o.burst

    def read(self):
        if self.credit == 0:
            time.sleep(o.wait)
        else:
            self.credit -= 1


task, volume = tasks.make(o.architecture, o.seed), Volume()
model, optimizer = task.model, optimizers.make(o.optimizer, task.model.parameters(), o.lr)
log = logs.open_log(o.format, options.config(o, data="s3"))
for step in range(o.steps):
    started = time.time()
    volume.read()
    batch = task.batch(o.batch)
    fetched = time.time()
    loss = task.loss(model, batch)
    optimizer.zero_grad()
    loss.backward()
    norm = nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    if step % o.every == 0:
        now = time.time()
        log.train(step, loss=loss.item(), grad_norm=norm.item(), lr=o.lr, step_time=now - started, data_time=fetched - started)
log.close()
