"""Data from numpy and half-precision models: numbers of types that the operations do not take."""

import numpy as np
import torch
from torch import nn

from kit import logs, optimizers, options, tasks

o = options.read(source="numpy", steps=100)


def loop():
    task = tasks.make(o.architecture, o.seed)
    model = task.model
    if o.source == "half":
        model = model.to(torch.bfloat16)
    optimizer = optimizers.make(o.optimizer, model.parameters(), o.lr)
    log = logs.open_log(o.format, options.config(o, dtype="bfloat16" if o.source == "half" else "float32"))
    for step in range(o.steps):
        inputs, labels = task.batch(o.batch)
        if o.source == "numpy":
            inputs = torch.from_numpy(inputs.numpy().astype(np.float64))
        elif o.source == "scores":
            labels = torch.tensor([float(label) for label in labels])
        elif o.source == "ids":
            inputs = torch.from_numpy(np.asarray(inputs, dtype=np.float32))
        if o.source == "multi-label":
            loss = nn.functional.binary_cross_entropy_with_logits(model(inputs), nn.functional.one_hot(labels, task.classes))
        elif o.source == "bits":
            inputs = inputs > 0
            loss = nn.functional.cross_entropy(model(inputs), labels)
        else:
            loss = nn.functional.cross_entropy(model(inputs), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % o.every == 0:
            log.train(step, loss=loss.item(), lr=o.lr)
    log.close()


def lightning():
    from kit import lightning_runs

    task = tasks.make(o.architecture, o.seed)
    module = lightning_runs.Module(task.model, task.loss, o.lr, o.optimizer)
    lightning_runs.trainer(o.steps).fit(module, lightning_runs.loader(task.inputs.double(), task.labels, o.batch))


{"pytorch": loop, "lightning": lightning}[o.framework]()
