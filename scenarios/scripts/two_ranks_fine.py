"""Data parallel training on two gloo ranks that ends as it should."""

import os

import torch
from torch import nn

from kit import logs, optimizers, options, tasks

o = options.read(architecture="mlp", lr=2e-3, steps=120)

torch.distributed.init_process_group("gloo")
rank = int(os.environ["RANK"])
task = tasks.make(o.architecture, o.seed)
task.generator.manual_seed(100 + rank)
model = nn.parallel.DistributedDataParallel(task.model)
optimizer = optimizers.make(o.optimizer, model.parameters(), o.lr)
log = logs.open_log(o.format, options.config(o, world_size=2)) if rank == 0 else None
for step in range(o.steps):
    loss = task.loss(model, task.batch(o.batch))
    optimizer.zero_grad()
    loss.backward()
    norm = nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    if log and step % o.every == 0:
        log.train(step, loss=loss.item(), grad_norm=norm.item(), lr=o.lr)
if log:
    log.close()
    print("rank 0: training finished")
torch.distributed.barrier()
del model
torch.distributed.destroy_process_group()
