"""Two processes train a model with branches that not every step takes."""

import os

import torch
import torch.distributed as dist
from torch import nn

from kit import logs, optimizers, options, tasks

o = options.read(branch="drop", steps=80)


class WithBranches(nn.Module):
    def __init__(self, model, classes):
        super().__init__()
        self.model, self.extra, self.steps = model, nn.Linear(classes, classes), 0

    def forward(self, *inputs):
        logits = self.model(*inputs)
        self.steps += 1
        if o.branch == "drop" and self.steps % 7 == 0:
            return logits
        if o.branch == "warm" and self.steps < 20:
            return logits
        return logits + self.extra(logits)


dist.init_process_group("gloo")
rank = dist.get_rank()
task = tasks.make(o.architecture, o.seed + rank)
model = nn.parallel.DistributedDataParallel(WithBranches(task.model, task.classes))
optimizer = optimizers.make(o.optimizer, model.parameters(), o.lr)
log = logs.open_log(o.format, options.config(o, world_size=2)) if rank == 0 else None
torch.manual_seed(rank)
for step in range(o.steps):
    loss = task.loss(model, task.batch(o.batch))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if log:
        log.train(step, loss=loss.item(), lr=o.lr)
    elif step % 10 == 0:
        print(f"rank {os.environ['RANK']} at step {step}", flush=True)
dist.barrier()
dist.destroy_process_group()
