"""A run that is going well when its log ends: no message, no traceback, no exit code that anybody kept."""

import os
import signal
import time

from torch import nn

from kit import logs, optimizers, options, tasks

o = options.read(ends=130, how="signal", steps=1000)

task = tasks.make(o.architecture, o.seed)
model, optimizer = task.model, optimizers.make(o.optimizer, task.model.parameters(), o.lr)
log = logs.open_log(o.format, options.config(o))
held = []
for step in range(o.steps):
    loss = task.loss(model, task.batch(o.batch))
    optimizer.zero_grad()
    loss.backward()
    norm = nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    if step % o.every == 0:
        log.train(step, loss=loss.item(), grad_norm=norm.item(), lr=o.lr)
    if step == o.ends:
        if o.how == "signal":
            os.kill(os.getpid(), signal.SIGKILL)
        elif o.how == "exit":
            os._exit(1)
        time.sleep(600)
log.close()
