"""A large model on little data, trained for long: training goes on falling, validation turns and rises."""

import torch
from torch import nn

from kit import data, logs, models, optimizers, options, tasks

o = options.read(rows=120, noise=2.0, steps=400)


def few(task):
    task.inputs, task.labels = task.inputs[: o.rows + 500], task.labels[: o.rows + 500]
    task.held_out = task.inputs[-500:], task.labels[-500:]
    return task


def loop():
    if o.architecture in tasks.recurrent_or_decoder:
        task = tasks.make(o.architecture, o.seed, order=0.4, length=3033 + o.rows, width=96)
    elif o.architecture == "mlp":
        task = few(tasks.make("mlp", o.seed, classes=4, noise=o.noise, model=models.mlp(16, 4, width=256, layers=3)))
    elif o.architecture == "encoder":
        task = few(tasks.make("encoder", o.seed))
        flip = torch.rand(len(task.labels), generator=data.generator(7)) < 0.3
        task.labels[flip] = task.labels[flip].roll(1)
    else:
        task = few(tasks.make(o.architecture, o.seed, noise=o.noise))
    model, optimizer = task.model, optimizers.make(o.optimizer, task.model.parameters(), o.lr)
    log = logs.open_log(o.format, options.config(o, train_rows=o.rows))
    for step in range(o.steps):
        loss = task.loss(model, task.batch(o.batch))
        optimizer.zero_grad()
        loss.backward()
        norm = nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        if step % o.every == 0:
            log.train(step, loss=loss.item(), grad_norm=norm.item(), lr=o.lr)
        if step % 20 == 19:
            held_out, accuracy = task.evaluate(model)
            log.eval(step, loss=held_out, accuracy=accuracy)
    log.close()


def keras():
    import keras as k

    from kit import keras_runs

    k.utils.set_random_seed(o.seed)
    rows, labels = data.table(o.rows + 400, 16, 4, o.seed, o.noise)
    model = keras_runs.dense(16, 4, width=256, layers=3)
    model.compile(k.optimizers.Adam(o.lr), "sparse_categorical_crossentropy", metrics=["accuracy"])
    held_out = (rows[o.rows :].numpy(), labels[o.rows :].numpy())
    keras_runs.fit(model, rows[: o.rows].numpy(), labels[: o.rows].numpy(), o.format, o.steps, validation_data=held_out)


{"pytorch": loop, "keras": keras}[o.framework]()
