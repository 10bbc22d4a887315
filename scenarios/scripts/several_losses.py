"""Losses that share a graph: an auxiliary loss, a state carried over, a generator and its critic."""

import torch
from torch import nn

from kit import data, logs, optimizers, options, tasks

o = options.read(share="auxiliary", steps=120)
log = logs.open_log(o.format, options.config(o))


def auxiliary():
    task = tasks.make(o.architecture, o.seed)
    optimizer = optimizers.make(o.optimizer, task.model.parameters(), o.lr)
    for step in range(o.steps):
        logits, targets = task.logits_and_targets(task.model, task.batch(o.batch))
        loss = nn.functional.cross_entropy(logits, targets)
        spread = logits.logsumexp(-1).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        if step >= 20:
            (1e-4 * spread).backward()
        optimizer.step()
        if step % o.every == 0:
            log.train(step, loss=loss.item(), lr=o.lr)


def carried():
    task = tasks.make(o.architecture, o.seed)
    model, state = task.model, None
    optimizer = optimizers.make(o.optimizer, model.parameters(), o.lr)
    for step in range(o.steps):
        tokens, targets = task.batch(o.batch)
        hidden, state = model.recurrent(model.tokens(tokens), state)
        loss = nn.functional.cross_entropy(model.head(hidden).flatten(0, 1), targets.flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        log.train(step, loss=loss.item(), lr=o.lr)


def critic():
    pictures, _ = data.images(800, 10, o.seed)
    maker = nn.Sequential(nn.Linear(16, 128), nn.ReLU(), nn.Linear(128, 256), nn.Unflatten(1, (1, 16, 16)))
    judge = nn.Sequential(nn.Flatten(), nn.Linear(256, 64), nn.LeakyReLU(0.2), nn.Linear(64, 1))
    of_maker, of_judge = (optimizers.make(o.optimizer, part.parameters(), o.lr) for part in (maker, judge))
    ones, zeros = torch.ones(o.batch, 1), torch.zeros(o.batch, 1)
    for step in range(o.steps):
        real = pictures[torch.randint(0, 800, (o.batch,))]
        scores = judge(maker(torch.randn(o.batch, 16)))
        loss_judge = nn.functional.binary_cross_entropy_with_logits(judge(real), ones) + nn.functional.binary_cross_entropy_with_logits(scores, zeros)
        of_judge.zero_grad()
        loss_judge.backward(retain_graph=o.share == "critic-kept")
        of_judge.step()
        loss_maker = nn.functional.binary_cross_entropy_with_logits(scores, ones)
        of_maker.zero_grad()
        loss_maker.backward()
        of_maker.step()
        log.train(step, loss=loss_maker.item(), lr=o.lr)


{"auxiliary": auxiliary, "carried": carried, "critic": critic, "critic-kept": critic}[o.share]()
log.close()
