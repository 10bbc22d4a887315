"""A schedule that raises the learning rate in the middle of a good run: wrong factor, wrong unit, a cycle set too wide."""

import torch

from kit import logs, optimizers, options, tasks

o = options.read(kind="milestone", factor=100.0, at=150, steps=280)


def schedule_of(optimizer):
    if o.kind == "milestone":
        return torch.optim.lr_scheduler.MultiStepLR(optimizer, [o.at], gamma=o.factor)
    if o.kind == "cycle":
        return torch.optim.lr_scheduler.CyclicLR(optimizer, o.lr, o.lr * o.factor, step_size_up=o.at, cycle_momentum=False)
    if o.kind == "finetune-phase":
        return torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: 1.0 if step < o.at else o.factor)
    return torch.optim.lr_scheduler.CosineAnnealingWarmRestarts(optimizer, o.at, eta_min=o.lr / o.factor)


def loop():
    task = tasks.make(o.architecture, o.seed)
    model = task.model
    optimizer = optimizers.make(o.optimizer, model.parameters(), o.lr)
    schedule = schedule_of(optimizer)
    log = logs.open_log(o.format, options.config(o, schedule=o.kind))
    for step in range(o.steps):
        loss = task.loss(model, task.batch(o.batch))
        optimizer.zero_grad()
        loss.backward()
        norm = torch.nn.utils.clip_grad_norm_(model.parameters(), float("inf"))
        optimizer.step()
        if step % o.every == 0:
            log.train(step, loss=loss.item(), grad_norm=norm.item(), lr=optimizer.param_groups[0]["lr"])
        schedule.step()
    log.close()


def lightning():
    from lightning.pytorch.callbacks import LearningRateMonitor

    from kit import lightning_runs as lr

    task = tasks.make(o.architecture, o.seed)
    module = lr.Module(task.model, task.loss, o.lr, o.optimizer, schedule_of)
    lr.trainer(o.steps, o.every, callbacks=[LearningRateMonitor("step")]).fit(module, lr.loader(task.inputs[:-500], task.labels[:-500], o.batch))


{"pytorch": loop, "lightning": lightning}[o.framework]()
