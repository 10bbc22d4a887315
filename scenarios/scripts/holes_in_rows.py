"""Rows with holes: empty cells, a division by a constant column, the logarithm of zero, an infinite reading."""

import io

import numpy as np
import pandas as pd
import torch
from torch import nn

from kit import data, logs, models, optimizers, options

o = options.read(kind="empty-cell", row=5000, steps=240, check="no")


def table(count=8000):
    rows, labels = data.table(count, 16, 10, o.seed)
    frame = pd.DataFrame(rows.numpy(), columns=[f"x{i}" for i in range(16)]).assign(label=labels.numpy())
    if o.kind == "empty-cell":
        frame.loc[o.row, "x7"] = np.nan
    elif o.kind == "infinite":
        frame.loc[o.row, "x3"] = np.inf
    elif o.kind == "constant-column":
        frame["x5"] = 1.0
        frame["x5"] = (frame["x5"] - frame["x5"].mean()) / frame["x5"].std()
    elif o.kind == "log-of-zero":
        frame["x2"] = frame["x2"].abs()
        frame.loc[o.row, "x2"] = 0.0
        frame["x2"] = np.log(frame["x2"])
    text = io.StringIO(frame.to_csv(index=False))
    frame = pd.read_csv(text)
    return torch.tensor(frame.drop(columns="label").values, dtype=torch.float32), torch.tensor(frame["label"].values)


def loop():
    rows, labels = table()
    model = models.mlp(16, 10)
    optimizer = optimizers.make(o.optimizer, model.parameters(), o.lr)
    log = logs.open_log(o.format, options.config(o, columns=16, rows=len(rows)))
    if o.check == "yes":
        print(pd.DataFrame(rows.numpy()).describe().T[["mean", "std", "min", "max"]].round(3).head(8).to_string())
    for step in range(o.steps):
        batch = slice(step * o.batch, (step + 1) * o.batch)
        if o.check == "yes" and not torch.isfinite(rows[batch]).all():
            print(f"warning: batch {step} has {int((~torch.isfinite(rows[batch])).sum())} non-finite input values")
        loss = nn.functional.cross_entropy(model(rows[batch]), labels[batch])
        optimizer.zero_grad()
        loss.backward()
        norm = nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        if step % o.every == 0:
            log.train(step, loss=loss.item(), grad_norm=norm.item(), lr=o.lr)
    log.close()


def lightning():
    from kit import lightning_runs as lr

    rows, labels = table()
    module = lr.Module(models.mlp(16, 10), lambda net, batch: nn.functional.cross_entropy(net(batch[0]), batch[1]), o.lr, o.optimizer)
    lr.trainer(o.steps, o.every, detect_anomaly=o.check == "yes").fit(module, lr.loader(rows, labels, o.batch, shuffle=False))


def keras():
    import keras as k

    from kit import keras_runs

    k.utils.set_random_seed(o.seed)
    rows, labels = table(2000)
    model = keras_runs.dense(16, 10, activation="tanh")
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    stop = [k.callbacks.TerminateOnNaN()] if o.check == "yes" else []
    keras_runs.fit(model, rows.numpy(), labels.numpy(), o.format, o.steps, callbacks=stop)


{"pytorch": loop, "lightning": lightning, "keras": keras}[o.framework]()
