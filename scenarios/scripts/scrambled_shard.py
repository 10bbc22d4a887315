"""A corpus whose later shards were encoded differently: the perplexity jumps beyond guessing and stays there."""

import torch
from torch import nn

from kit import data, logs, optimizers, options, tasks

o = options.read(architecture="lstm", at=160, steps=240, lr=3e-3, kind="bytes")

task = tasks.make(o.architecture, o.seed)
model, optimizer = task.model, optimizers.make(o.optimizer, task.model.parameters(), o.lr)
log = logs.open_log(o.format, options.config(o, vocab_size=task.vocab, shards=3))
fresh = torch.Generator().manual_seed(o.seed + 9)
for step in range(o.steps):
    x, y = task.batch(o.batch)
    if step >= o.at:
        # Encrypted or compressed bytes read as text; or targets taken from another row of the batch.
        if o.kind == "bytes":
            x = y = torch.randint(0, task.vocab, x.shape, generator=fresh)
            y = torch.randint(0, task.vocab, x.shape, generator=fresh)
        else:
            y = y.flip(0)
    loss = task.loss(model, (x, y))
    optimizer.zero_grad()
    loss.backward()
    norm = nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    if step % o.every == 0:
        log.train(step, loss=loss.item(), perplexity=min(loss.exp().item(), 1e6), grad_norm=norm.item(), lr=o.lr)
log.close()
