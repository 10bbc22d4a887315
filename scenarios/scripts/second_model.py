"""The model is made again (for another seed, a copy, a list of layers) after the optimizer was given its parameters."""

import copy

import torch
from torch import nn

from kit import logs, optimizers, options, tasks

o = options.read(made="copy", steps=200)


class Layers(nn.Module):
    """Keeps its layers in a list of Python."""

    def __init__(self, features, classes):
        super().__init__()
        self.layers = [nn.Linear(features, 64), nn.Linear(64, classes)]

    def forward(self, rows):
        return self.layers[1](torch.relu(self.layers[0](rows)))


def loop():
    task = tasks.make(o.architecture, o.seed)
    model = Layers(16, task.classes) if o.made == "list" else task.model
    optimizer = optimizers.make(o.optimizer, model.parameters(), o.lr)
    if o.made == "copy":
        model = copy.deepcopy(model)
    elif o.made == "head":
        body = model
        for parameter in body.parameters():
            parameter.requires_grad_(False)
        body.head = nn.Linear(body.head.in_features, body.head.out_features)
    log = logs.open_log(o.format, options.config(o))
    for step in range(o.steps):
        loss = task.loss(model, task.batch(o.batch))
        model.zero_grad()
        loss.backward()
        norm = nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        if step % o.every == 0:
            log.train(step, loss=loss.item(), grad_norm=norm.item(), lr=o.lr)
        if step % 50 == 49:
            held_out, accuracy = task.evaluate(model)
            log.eval(step, loss=held_out, accuracy=accuracy)
    log.close()


def lightning():
    from kit import lightning_runs

    task = tasks.make(o.architecture, o.seed)

    class Student(lightning_runs.Module):
        def configure_optimizers(self):
            optimizer = optimizers.make(o.optimizer, self.parameters(), o.lr)
            self.net = copy.deepcopy(self.net)
            return optimizer

        def on_before_zero_grad(self, optimizer):
            self.net.zero_grad()

    module = Student(task.model, task.loss, o.lr, o.optimizer)
    loader = lightning_runs.loader(task.inputs, task.labels, o.batch)
    lightning_runs.trainer(o.steps).fit(module, loader)


{"pytorch": loop, "lightning": lightning}[o.framework]()
