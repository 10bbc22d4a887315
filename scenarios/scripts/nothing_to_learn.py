"""Inputs that say nothing about the labels: blank after preprocessing, or joined with the rows of something else."""

import torch
from torch import nn

from kit import data, logs, optimizers, options, tasks

o = options.read(kind="blank", steps=240)


def spoil(batch):
    inputs, labels = batch
    if o.kind == "blank":
        # 8-bit values divided twice by 255 and stored as integers again.
        return torch.zeros_like(inputs), labels
    if o.kind == "padding":
        return torch.full_like(inputs, 1), labels
    return inputs, labels[torch.randperm(len(labels))]


def loop():
    task = tasks.make(o.architecture, o.seed)
    model, optimizer = task.model, optimizers.make(o.optimizer, task.model.parameters(), o.lr)
    log = logs.open_log(o.format, options.config(o, num_classes=task.classes))
    task.held_out = spoil(task.held_out)
    for step in range(o.steps):
        inputs, labels = spoil(task.batch(o.batch))
        logits = model(inputs)
        loss = nn.functional.cross_entropy(logits, labels)
        optimizer.zero_grad()
        loss.backward()
        norm = nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        if step % o.every == 0:
            accuracy = (logits.argmax(-1) == labels).float().mean().item()
            log.train(step, loss=loss.item(), accuracy=accuracy, grad_norm=norm.item(), lr=o.lr)
        if step % 60 == 59:
            held_out, accuracy = task.evaluate(model)
            log.eval(step, loss=held_out, accuracy=accuracy)
    log.close()


def lightning():
    from kit import lightning_runs as lr

    class Scored(lr.Module):
        def training_step(self, batch, index):
            self.log("train_acc", (self.net(batch[0]).argmax(-1) == batch[1]).float().mean())
            return super().training_step(batch, index)

    task = tasks.make(o.architecture, o.seed)
    inputs, labels = spoil((task.inputs, task.labels))
    module = Scored(task.model, task.loss, o.lr, o.optimizer)
    lr.trainer(o.steps).fit(module, lr.loader(inputs[:-500], labels[:-500]), lr.loader(inputs[-500:], labels[-500:], 500, False))


def keras():
    import keras as k

    from kit import keras_runs

    k.utils.set_random_seed(o.seed)
    pictures, labels = spoil(data.images(800, 10, o.seed))
    model = keras_runs.convolutional(10)
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    keras_runs.fit(model, pictures.permute(0, 2, 3, 1).numpy(), labels.numpy(), o.format, o.steps, validation_split=0.2)


{"pytorch": loop, "lightning": lightning, "keras": keras}[o.framework]()
