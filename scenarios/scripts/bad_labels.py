"""Labels that the output layer has no class for: counted from one, a marker for unlabelled rows, a new class."""

import torch
from torch import nn

from kit import data, logs, optimizers, options, tasks

o = options.read(kind="one-based", steps=160, at=60)


def spoil(labels):
    labels = labels.clone()
    if o.kind == "one-based":
        return labels + 1
    labels[o.at * 9] = {"unlabelled": -1, "void": 255, "new-class": int(labels.max()) + 3}[o.kind]
    return labels


def loop():
    task = tasks.make(o.architecture, o.seed)
    model, optimizer = task.model, optimizers.make(o.optimizer, task.model.parameters(), o.lr)
    log = logs.open_log(o.format, options.config(o, num_classes=task.classes))
    labels = spoil(task.labels)
    for step in range(o.steps):
        rows = torch.arange(step * o.batch, (step + 1) * o.batch) % 2500
        loss = nn.functional.cross_entropy(model(task.inputs[rows]), labels[rows])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % o.every == 0:
            log.train(step, loss=loss.item(), lr=o.lr)
    log.close()


def hugging_face():
    from kit import hugging_face as hf

    task = tasks.make("encoder", o.seed)
    task.labels = spoil(task.labels)
    hf.trainer(hf.bert(), hf.text_classes(task), o.lr, o.steps).train()


def lightning():
    from kit import lightning_runs as lr

    task = tasks.make(o.architecture, o.seed)
    module = lr.Module(task.model, task.loss, o.lr, o.optimizer)
    lr.trainer(o.steps).fit(module, lr.loader(task.inputs, spoil(task.labels), o.batch, shuffle=False))


def keras():
    import keras as k

    from kit import keras_runs

    k.utils.set_random_seed(o.seed)
    rows, labels = data.table(1000, 16, 10, o.seed)
    model = keras_runs.dense(16, 10)
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    keras_runs.fit(model, rows.numpy(), spoil(labels).numpy(), o.format, o.steps)


{"pytorch": loop, "transformers": hugging_face, "lightning": lightning, "keras": keras}[o.framework]()
