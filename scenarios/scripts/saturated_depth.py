"""Deep stacks of saturating layers without normalisation or residuals: the first layers get no gradient."""

import torch
from torch import nn

from kit import logs, optimizers, options, tasks

o = options.read(depth=12, activation="Sigmoid", layers_logged=1)


class Stack(nn.Module):
    """Plain convolutions or a plain recurrent stack, `depth` layers of it."""

    def __init__(self, architecture, depth, activation):
        super().__init__()
        self.architecture = architecture
        if architecture == "cnn":
            parts = [nn.Conv2d(1, 12, 3, padding=1), activation()]
            for _ in range(depth - 1):
                parts += [nn.Conv2d(12, 12, 3, padding=1), activation()]
            self.body, self.head = nn.Sequential(*parts, nn.AdaptiveAvgPool2d(1), nn.Flatten()), nn.Linear(12, 10)
        elif architecture == "mlp":
            sizes = [16] + [32] * depth
            self.body = nn.Sequential(*[part for a, b in zip(sizes, sizes[1:]) for part in (nn.Linear(a, b), activation())])
            self.head = nn.Linear(32, 10)
        else:
            self.body, self.head = nn.GRU(1, 16, depth, batch_first=True), nn.Linear(16, 10)

    def forward(self, x):
        if self.architecture == "gru":
            return self.head(self.body(x.flatten(1)[..., None][:, :64])[0][:, -1])
        return self.head(self.body(x))


data_of = {"cnn": "cnn", "mlp": "mlp", "gru": "cnn"}[o.architecture]
task = tasks.make(data_of, o.seed)
model = Stack(o.architecture, o.depth, getattr(nn, o.activation))
optimizer = optimizers.make(o.optimizer, model.parameters(), o.lr)
log = logs.open_log(o.format, options.config(o, depth=o.depth, activation=o.activation))
first, last = next(model.body.parameters()), model.head.weight
for step in range(o.steps):
    loss = task.loss(model, task.batch(o.batch))
    optimizer.zero_grad()
    loss.backward()
    norm = nn.utils.clip_grad_norm_(model.parameters(), float("inf"))
    optimizer.step()
    if step % o.every == 0:
        layers = {"grad_norm/first_layer": first.grad.norm().item(), "grad_norm/last_layer": last.grad.norm().item()} if o.layers_logged else {}
        log.train(step, loss=loss.item(), grad_norm=norm.item(), lr=o.lr, **layers)
log.close()
