"""Two ranks whose code paths differ, so that their collectives do not match."""

import datetime
import os

import torch
import torch.distributed as dist
from torch import nn

from kit import logs, optimizers, options, tasks

o = options.read(differs="size", steps=60)

dist.init_process_group("gloo", timeout=datetime.timedelta(seconds=8))
rank = dist.get_rank()
task = tasks.make(o.architecture, o.seed + rank)
if o.differs == "model" and rank == 1:
    task.model = nn.Sequential(task.model, nn.Linear(task.classes, task.classes))
model = nn.parallel.DistributedDataParallel(task.model)
optimizer = optimizers.make(o.optimizer, model.parameters(), o.lr)
log = logs.open_log(o.format, options.config(o, world_size=2)) if rank == 0 else None
for step in range(o.steps):
    loss = task.loss(model, task.batch(o.batch))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if log:
        log.train(step, loss=loss.item(), lr=o.lr)
    if step == 30 and o.differs == "size":
        # Predictions of the held-out rows are gathered; the ranks hold different numbers of them.
        predictions = torch.zeros(100 + 28 * rank, task.classes)
        gathered = [torch.zeros_like(predictions) for _ in range(dist.get_world_size())]
        dist.all_gather(gathered, predictions)
        print(f"rank {os.environ['RANK']} gathered {sum(len(part) for part in gathered)}")
dist.barrier()
dist.destroy_process_group()
