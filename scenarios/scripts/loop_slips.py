"""Slips in the training loop that raise: a wrong name, a wrong output, a value used before it is set."""

import torch
from torch import nn

from kit import data, logs, optimizers, options, tasks

o = options.read(slip="output", steps=90)


def loop():
    task = tasks.make(o.architecture, o.seed)
    model, optimizer = task.model, optimizers.make(o.optimizer, task.model.parameters(), o.lr)
    log = logs.open_log(o.format, options.config(o))
    meters = {"loss": [], "accuracy": []}
    for step in range(o.steps):
        batch = task.batch(o.batch)
        if o.slip == "output":
            loss = nn.functional.cross_entropy(model(batch[0]).logits, batch[1])
        elif o.slip == "unpack":
            hidden, attention = model(batch[0])
            loss = hidden.sum() + attention.sum()
        else:
            loss = task.loss(model, batch)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        meters["loss"].append(loss.item())
        log.train(step, loss=loss.item(), lr=o.lr)
        if step == 40 and o.slip == "meter":
            best = min(meters["val_loss"])
            print(f"best so far {best:.4f}")
        if step and step % 30 == 0 and o.slip == "name":
            report(step, task, model)
    log.close()


def report(step, task, model):
    held_out, accuracy = task.evaluate(model)
    if accuracy > 1.0:
        best = accuracy
    print(f"step {step}: validation {held_out:.4f}, best accuracy {best:.3f}")


def hugging_face():
    from kit import hugging_face as hf

    class Weighted(torch.nn.Module):
        """Adds a head to the language model; gives back logits only."""

        def __init__(self, model):
            super().__init__()
            self.model = model

        def forward(self, input_ids, labels=None):
            return {"logits": self.model(input_ids=input_ids).logits}

    hf.trainer(Weighted(hf.gpt2()), hf.text_windows(400, o.seed), o.lr, o.steps).train()


def keras():
    import keras as k

    from kit import keras_runs

    class Report(k.callbacks.Callback):
        def on_epoch_end(self, epoch, logs=None):
            print(f"epoch {epoch}: validation accuracy {logs['val_accuracy']:.3f}")

    rows, labels = data.table(500, 16, 4, o.seed)
    model = keras_runs.dense(16, 4)
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    keras_runs.fit(model, rows.numpy(), labels.numpy(), o.format, 5, callbacks=[Report()])


{"pytorch": loop, "transformers": hugging_face, "keras": keras}[o.framework]()
