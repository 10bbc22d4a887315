"""Labels that are all the same: read from the wrong column, or lost in a conversion to integers."""

import torch
from torch import nn

from kit import data, logs, optimizers, options, tasks

o = options.read(steps=160)


def lost(labels):
    """Scores between 0 and 1 were cast to integers before they were thresholded."""
    return (labels.float() / (labels.max() + 1)).long()


def loop():
    task = tasks.make(o.architecture, o.seed)
    task.labels = lost(task.labels)
    task.held_out = task.inputs[-500:], task.labels[-500:]
    model, optimizer = task.model, optimizers.make(o.optimizer, task.model.parameters(), o.lr)
    log = logs.open_log(o.format, options.config(o, num_classes=task.classes))
    for step in range(o.steps):
        inputs, labels = task.batch(o.batch)
        logits = model(inputs)
        loss = nn.functional.cross_entropy(logits, labels)
        optimizer.zero_grad()
        loss.backward()
        norm = nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        if step % o.every == 0:
            accuracy = (logits.argmax(-1) == labels).float().mean().item()
            log.train(step, loss=loss.item(), accuracy=accuracy, grad_norm=norm.item(), lr=o.lr)
        if step % 40 == 39:
            held_out, accuracy = task.evaluate(model)
            log.eval(step, loss=held_out, accuracy=accuracy)
    log.close()


def keras():
    import keras as k

    from kit import keras_runs

    k.utils.set_random_seed(o.seed)
    rows, labels = data.table(1000, 16, 10, o.seed)
    model = keras_runs.dense(16, 10)
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    keras_runs.fit(model, rows.numpy(), lost(labels).numpy(), o.format, o.steps, validation_split=0.2)


def hugging_face():
    from kit import hugging_face as hf

    task = tasks.make("encoder", o.seed)
    task.labels = lost(task.labels)
    trainer = hf.trainer(hf.bert(), hf.text_classes(task), o.lr, o.steps, held_out=hf.text_classes(task, slice(-200, None)))
    trainer.train()
    trainer.save_state()


{"pytorch": loop, "keras": keras, "transformers": hugging_face}[o.framework]()
