"""Fine-tuning with most of the model held fixed."""

import torch
from torch import nn

from kit import logs, optimizers, options, tasks

o = options.read(fixed="all", steps=160)


class Adapter(nn.Module):
    """A small bottleneck beside the model; `scale` is raised once the adapter is warm."""

    def __init__(self, model, width):
        super().__init__()
        self.model, self.down, self.up, self.scale = model, nn.Linear(width, 8), nn.Linear(8, width), 0.0

    def forward(self, *inputs):
        logits = self.model(*inputs)
        return logits + self.scale * self.up(torch.relu(self.down(logits)))


def loop():
    task = tasks.make(o.architecture, o.seed)
    model = task.model
    if o.fixed in ("all", "adapter"):
        model.requires_grad_(False)
    if o.fixed == "adapter":
        model = Adapter(model, task.classes)
    optimizer = optimizers.make(o.optimizer, model.parameters(), o.lr)
    trainable = sum(p.numel() for p in model.parameters() if p.requires_grad)
    log = logs.open_log(o.format, options.config(o, trainable_parameters=trainable))
    for step in range(o.steps):
        batch = task.batch(o.batch)
        if o.fixed == "features":
            with torch.no_grad():
                logits, targets = task.logits_and_targets(model, batch)
            loss = nn.functional.cross_entropy(logits, targets)
        elif o.fixed == "numbers":
            loss = torch.tensor(task.loss(model, batch).item())
        else:
            loss = task.loss(model, batch)
        optimizer.zero_grad()
        loss.backward()
        norm = nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        if step % o.every == 0:
            log.train(step, loss=loss.item(), grad_norm=norm.item(), lr=o.lr)
        if step % 40 == 39:
            held_out, accuracy = task.evaluate(model)
            log.eval(step, loss=held_out, accuracy=accuracy)
    log.close()


def hugging_face():
    from kit import hugging_face as hf

    task = tasks.make("encoder", o.seed)
    model = hf.bert()
    for parameter in model.parameters():
        parameter.requires_grad = False
    hf.trainer(model, hf.text_classes(task), o.lr, o.steps).train()


def keras():
    import keras as k

    from kit import keras_runs

    k.utils.set_random_seed(o.seed)
    task = tasks.make("mlp", o.seed)
    model = keras_runs.dense(16, 10)
    model.trainable = False
    model.compile(k.optimizers.Adam(o.lr), "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.summary()
    keras_runs.fit(model, task.inputs.numpy(), task.labels.numpy(), o.format, 12, validation_split=0.2)


{"pytorch": loop, "transformers": hugging_face, "keras": keras}[o.framework]()
