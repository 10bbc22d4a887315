"""Going on from a checkpoint that was written by another version of the same project."""

import torch
from torch import nn

from kit import logs, optimizers, options, tasks

o = options.read(saved="parallel", steps=60)


def write_checkpoint():
    """What the earlier run left: the state of its model and optimizer."""
    torch.manual_seed(1)
    wide = {"width": 64} if o.saved == "wide" else {}
    task = tasks.make(o.architecture, o.seed, **wide)
    model = nn.DataParallel(task.model) if o.saved == "parallel" else task.model
    parameters = list(model.parameters())
    if o.saved == "groups":
        groups = [{"params": parameters[:-2]}, {"params": parameters[-2:], "lr": 1e-4}]
        optimizer = torch.optim.AdamW(groups, lr=o.lr)
    else:
        optimizer = optimizers.make(o.optimizer, parameters, o.lr)
    torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict(), "step": 4000}, "last.pt")


def loop():
    task = tasks.make(o.architecture, o.seed)
    model, optimizer = task.model, optimizers.make(o.optimizer, task.model.parameters(), o.lr)
    log = logs.open_log(o.format, options.config(o, resume="last.pt"))
    checkpoint = torch.load("last.pt")
    print(f"resuming from step {checkpoint['step']}", flush=True)
    model.load_state_dict(checkpoint["model"])
    optimizer.load_state_dict(checkpoint["optimizer"])
    for step in range(checkpoint["step"], checkpoint["step"] + o.steps):
        loss = task.loss(model, task.batch(o.batch))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        log.train(step, loss=loss.item(), lr=o.lr)
    log.close()


def hugging_face():
    from kit import hugging_face as hf

    hf.bert(classes=3).save_pretrained("pretrained")
    from transformers import AutoModelForSequenceClassification

    model = AutoModelForSequenceClassification.from_pretrained("pretrained", num_labels=6)
    task = tasks.make("encoder", o.seed)
    hf.trainer(model, hf.text_classes(task), o.lr, o.steps).train()


def keras():
    from kit import keras_runs

    keras_runs.dense(16, 10, width=48).save_weights("last.weights.h5")
    model = keras_runs.dense(16, 10, width=32)
    model.compile("adam", "sparse_categorical_crossentropy")
    print("loading weights of the last run", flush=True)
    model.load_weights("last.weights.h5")


if o.framework == "pytorch":
    write_checkpoint()
{"pytorch": loop, "transformers": hugging_face, "keras": keras}[o.framework]()
