"""A wrapper that catches whatever goes wrong and reports only that something did."""

import sys

import torch
from torch import nn

from kit import logs, optimizers, options, tasks

o = options.read(kind="shape", at=60, wording="failed")

wordings = {
    "failed": "Training failed. Please contact the platform team.",
    "status": "job finished with status FAILED",
    "retry": "attempt 1/1 unsuccessful, giving up",
    "code": "[launcher] worker exited with code 1",
}


def train(log):
    task = tasks.make(o.architecture, o.seed)
    model, optimizer = task.model, optimizers.make(o.optimizer, task.model.parameters(), o.lr)
    for step in range(200):
        inputs, labels = task.batch(o.batch)
        if step == o.at:
            if o.kind == "shape":
                inputs = inputs[..., :-1]
            elif o.kind == "label":
                labels = labels + 10_000
            elif o.kind == "memory":
                torch.empty(2**50)
            else:
                open("/data/next-shard.bin", "rb")
        loss = task.loss(model, (inputs, labels))
        optimizer.zero_grad()
        loss.backward()
        norm = nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        if step % o.every == 0:
            log.train(step, loss=loss.item(), grad_norm=norm.item(), lr=o.lr)


log = logs.open_log(o.format, options.config(o))
try:
    train(log)
except Exception:
    log.close()
    print(wordings[o.wording])
    sys.exit(1)
