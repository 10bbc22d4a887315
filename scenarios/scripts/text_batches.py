"""Sequence models that are given masks, states or targets of another layout than they expect."""

import torch
from torch import nn

from kit import logs, optimizers, options, tasks

o = options.read(part="mask", steps=150)

task = tasks.make(o.architecture, o.seed)
model = task.model
optimizer = optimizers.make(o.optimizer, model.parameters(), o.lr)
log = logs.open_log(o.format, options.config(o))


def translate(batch):
    """Padding is masked; the mask was built for sequences first."""
    source, shown, targets = batch
    padding = torch.zeros(source.shape[1], source.shape[0], dtype=torch.bool)
    hidden = model.transformer(model.tokens(source), model.tokens(shown), src_key_padding_mask=padding)
    return nn.functional.cross_entropy(model.head(hidden).flatten(0, 1), targets.flatten())


state = None


def remember(batch):
    """The state of one window is the start of the next; the last window of an epoch has fewer rows."""
    global state
    tokens, targets = batch
    hidden, state = model.recurrent(model.tokens(tokens), state)
    state = tuple(part.detach() for part in state) if isinstance(state, tuple) else state.detach()
    return nn.functional.cross_entropy(model.head(hidden).flatten(0, 1), targets.flatten())


def score(batch):
    """Two classes with a sigmoid: logits of shape (batch, 1), targets of shape (batch,)."""
    inputs, labels = batch
    return nn.functional.binary_cross_entropy_with_logits(model(inputs)[:, :1], (labels > 2).float())


def next_token(batch):
    """Logits are (batch, length, vocab); the loss wants (batch, vocab, length)."""
    tokens, targets = batch
    return nn.functional.cross_entropy(model(tokens), targets)


loss_of = {"mask": translate, "state": remember, "binary": score, "layout": next_token}[o.part]
for step in range(o.steps):
    rows = o.batch if step != 46 else o.batch // 2 + 3
    loss = loss_of(task.batch(rows))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % o.every == 0:
        log.train(step, loss=loss.item(), lr=o.lr)
log.close()
