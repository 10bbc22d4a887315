"""Steps of the right direction and the wrong size: momentum or rate so large that the loss swings and does not fall."""

import torch
from torch import nn

from kit import logs, optimizers, options, tasks

o = options.read(momentum=0.99, clip=1.0, architecture="cnn", optimizer="momentum", lr=0.5)


def loop():
    task = tasks.make(o.architecture, o.seed)
    model = task.model
    optimizer = optimizers.make(o.optimizer, model.parameters(), o.lr)
    if o.optimizer == "momentum":
        optimizer.param_groups[0]["momentum"] = o.momentum
    log = logs.open_log(o.format, options.config(o, momentum=o.momentum, max_grad_norm=o.clip))
    for step in range(o.steps):
        loss = task.loss(model, task.batch(o.batch))
        optimizer.zero_grad()
        loss.backward()
        norm = nn.utils.clip_grad_norm_(model.parameters(), o.clip)
        optimizer.step()
        if step % o.every == 0:
            log.train(step, loss=loss.item(), grad_norm=norm.item(), lr=o.lr)
        if step % 60 == 59:
            held_out, accuracy = task.evaluate(model)
            log.eval(step, loss=held_out, accuracy=accuracy)
    log.close()


loop()
