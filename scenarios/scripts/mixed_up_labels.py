"""Labels in another order than their inputs (sorted files, a join on the wrong key): learned by heart, never generalised."""

import torch
from torch import nn

from kit import data, logs, models, optimizers, options, tasks

o = options.read(rows=300, steps=400, noise=0.3)


def shuffled():
    task = tasks.make(o.architecture, o.seed, **({"model": models.mlp(16, 10, width=256, layers=2)} if o.architecture == "mlp" else {}))
    task.labels = task.labels[torch.randperm(len(task.labels), generator=data.generator(o.seed + 5))]
    task.inputs, task.labels = task.inputs[: o.rows + 500], task.labels[: o.rows + 500]
    task.held_out = task.inputs[-500:], task.labels[-500:]
    return task


def loop():
    task = shuffled()
    model, optimizer = task.model, optimizers.make(o.optimizer, task.model.parameters(), o.lr)
    log = logs.open_log(o.format, options.config(o, num_classes=task.classes, train_rows=o.rows))
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
        if step % 25 == 24:
            held_out, accuracy = task.evaluate(model)
            log.eval(step, loss=held_out, accuracy=accuracy)
    log.close()


def hugging_face():
    from kit import hugging_face as hf

    task = shuffled()
    model = hf.bert(hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0)
    trainer = hf.trainer(model, hf.text_classes(task), o.lr, o.steps, o.batch, held_out=hf.text_classes(task, slice(-300, None)), save=40, lr_scheduler_type="constant")
    trainer.train()
    trainer.save_state()


def lightning():
    from kit import lightning_runs as lr

    class Scored(lr.Module):
        def training_step(self, batch, index):
            self.log("train_acc", (self.net(batch[0]).argmax(-1) == batch[1]).float().mean())
            return super().training_step(batch, index)

    task = shuffled()
    module = Scored(task.model, task.loss, o.lr, o.optimizer)
    trainer = lr.trainer(o.steps, 5, check_val_every_n_epoch=4)
    trainer.fit(module, lr.loader(task.inputs[: o.rows], task.labels[: o.rows]), lr.loader(*task.held_out, batch=500, shuffle=False))


def keras():
    import keras as k

    from kit import keras_runs

    k.utils.set_random_seed(o.seed)
    task = shuffled()
    model = keras_runs.dense(16, 10, width=256)
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    held_out = tuple(part.numpy() for part in task.held_out)
    keras_runs.fit(model, task.inputs[: o.rows].numpy(), task.labels[: o.rows].numpy(), o.format, o.steps, validation_data=held_out)


{"pytorch": loop, "transformers": hugging_face, "lightning": lightning, "keras": keras}[o.framework]()
