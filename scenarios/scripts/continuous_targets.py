"""Regression: losses in the millions, near zero, or below it (a Gaussian likelihood), all of them fine."""

import torch
from torch import nn

from kit import data, logs, models, optimizers, options

o = options.read(kind="prices", lr=5e-3, steps=300)


def loop():
    rows, targets = data.regression(4000, 12, o.seed)
    if o.kind == "prices":
        targets = 20_000 + 3_000 * targets
    elif o.kind == "likelihood":
        targets = 0.02 * targets
    model = models.mlp(12, 2 if o.kind == "likelihood" else 1)
    optimizer = optimizers.make(o.optimizer, model.parameters(), o.lr)
    log = logs.open_log(o.format, options.config(o, objective=o.kind))
    for step in range(o.steps):
        batch = torch.randint(0, 3600, (o.batch,))
        outputs = model(rows[batch])
        if o.kind == "likelihood":
            loss = nn.functional.gaussian_nll_loss(outputs[:, :1], targets[batch], nn.functional.softplus(outputs[:, 1:]) + 1e-4)
        else:
            loss = nn.functional.mse_loss(outputs, targets[batch])
        optimizer.zero_grad()
        loss.backward()
        norm = nn.utils.clip_grad_norm_(model.parameters(), float("inf"))
        optimizer.step()
        if step % o.every == 0:
            log.train(step, loss=loss.item(), grad_norm=norm.item(), lr=o.lr)
    log.close()


def keras():
    import keras as k

    from kit import keras_runs

    k.utils.set_random_seed(o.seed)
    rows, targets = data.regression(1500, 12, o.seed)
    model = k.Sequential([k.Input((12,)), k.layers.Dense(32, activation="relu"), k.layers.Dense(1)])
    model.compile("adam", "mse", metrics=["mae"])
    keras_runs.fit(model, rows.numpy(), 50 * targets.numpy(), o.format, o.steps, validation_split=0.2)


{"pytorch": loop, "keras": keras}[o.framework]()
