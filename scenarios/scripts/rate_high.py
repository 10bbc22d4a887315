"""Training with a learning rate that is far too high from the first step."""

import torch

from kit import data, logs, optimizers, options, tasks

o = options.read(clip=0.0)


def loop():
    task = tasks.make(o.architecture, o.seed)
    model, optimizer = task.model, optimizers.make(o.optimizer, task.model.parameters(), o.lr)
    log = logs.open_log(o.format, options.config(o))
    for step in range(o.steps):
        loss = task.loss(model, task.batch(o.batch))
        optimizer.zero_grad()
        loss.backward()
        norm = torch.nn.utils.clip_grad_norm_(model.parameters(), o.clip or float("inf"))
        optimizer.step()
        if step % o.every == 0:
            log.train(step, loss=loss.item(), grad_norm=norm.item(), lr=o.lr)
    log.close()


def hugging_face():
    from kit import hugging_face as hf

    hf.trainer(hf.gpt2(), hf.text_windows(2000, o.seed), o.lr, o.steps, max_grad_norm=o.clip, lr_scheduler_type="constant").train()


def lightning():
    from kit import lightning_runs as lr

    task = tasks.make(o.architecture, o.seed)
    module = lr.Module(task.model, task.loss, o.lr, o.optimizer)
    lr.trainer(o.steps).fit(module, lr.loader(task.inputs, task.labels), lr.loader(*task.held_out, shuffle=False))


def keras():
    import keras as k

    from kit import keras_runs

    k.utils.set_random_seed(o.seed)
    rows, labels = data.table(2000, 16, 10, o.seed)
    model = keras_runs.dense(16, 10)
    model.compile(k.optimizers.Adam(o.lr), "sparse_categorical_crossentropy", metrics=["accuracy"])
    keras_runs.fit(model, rows.numpy(), labels.numpy(), o.format, o.steps, validation_split=0.2)


{"pytorch": loop, "transformers": hugging_face, "lightning": lightning, "keras": keras}[o.framework]()
