"""Two processes that train together over gloo, and what each of them does beside training."""

import datetime
import os
import sys
import time

import torch
import torch.distributed as dist
from torch import nn

from kit import logs, optimizers, options, tasks

o = options.read(beside="nothing", steps=120, at=40, timeout=6.0, every=4, pause=0.0)

rank = int(os.environ["RANK"])
print(f"[rank {rank}] joining {os.environ['WORLD_SIZE']} processes", flush=True)
dist.init_process_group("gloo", timeout=datetime.timedelta(seconds=o.timeout))
task = tasks.make(o.architecture, o.seed + rank)
model = nn.parallel.DistributedDataParallel(task.model)
optimizer = optimizers.make(o.optimizer, model.parameters(), o.lr)
log = logs.open_log(o.format, options.config(o, world_size=2)) if rank == 0 else None
for step in range(o.steps):
    started = time.time()
    batch = task.batch(o.batch)
    if o.beside == "augment" and rank == 1:
        time.sleep(o.pause)
    fetched = time.time() - started
    if o.beside == "upload" and rank == 1 and step == o.at:
        print("[rank 1] uploading checkpoint to the bucket", flush=True)
        time.sleep(3 * o.timeout)
    if o.beside == "shard" and rank == 1 and step == o.at:
        print(f"[rank 1] end of shard after {step} batches", flush=True)
        sys.exit(0)
    if o.beside == "evaluate" and rank == 0 and step == o.at:
        print("[rank 0] evaluating", flush=True)
        scores = torch.zeros(1)
        dist.all_reduce(scores)
        dist.barrier()
    loss = task.loss(model, batch)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % o.every == 0:
        if log:
            log.train(step, loss=loss.item(), lr=o.lr)
        print(f"[rank {rank}] step {step} loss {loss.item():.4f} data_time {fetched:.3f} step_time {time.time() - started:.3f}", flush=True)
if log:
    log.close()
dist.barrier()
dist.destroy_process_group()
