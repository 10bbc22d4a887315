"""Files that were cut short while they were written or copied: archives, arrays, pictures, tensors."""

import gzip
import io
import pickle
from pathlib import Path

import numpy as np
import torch
from torch import nn

from kit import data, logs, models, optimizers, options

o = options.read(kind="gzip", shards=6, cut=4, keep=0.6, steps=0)

Path("shards").mkdir()
rows, labels = data.table(1800, 12, 5, o.seed)


def write(number, x, y):
    path, buffer = Path(f"shards/train-{number:02d}.{o.kind}"), io.BytesIO()
    if o.kind == "gzip":
        content = gzip.compress(x.numpy().tobytes() + y.numpy().astype("int64").tobytes())
    else:
        if o.kind == "npz":
            np.savez(buffer, x=x.numpy(), y=y.numpy())
        elif o.kind == "npy":
            np.save(buffer, np.column_stack([x.numpy(), y.numpy()]))
        elif o.kind == "pt":
            torch.save({"x": x, "y": y}, buffer)
        elif o.kind == "pickle":
            pickle.dump({"x": x.numpy(), "y": y.numpy()}, buffer)
        elif o.kind == "parquet":
            import pandas as pd

            pd.DataFrame(np.column_stack([x.numpy(), y.numpy()]), columns=[f"c{i}" for i in range(13)]).to_parquet(buffer)
        content = buffer.getvalue()
    path.write_bytes(content[: int(len(content) * o.keep)] if number == o.cut else content)


def read(number):
    path = f"shards/train-{number:02d}.{o.kind}"
    if o.kind == "gzip":
        with gzip.open(path) as file:
            content = file.read()
        return torch.frombuffer(bytearray(content[: 300 * 48]), dtype=torch.float32).view(300, 12), torch.frombuffer(bytearray(content[300 * 48 :]), dtype=torch.int64)
    if o.kind == "npz":
        with np.load(path) as file:
            return torch.tensor(file["x"]), torch.tensor(file["y"])
    if o.kind == "npy":
        both = np.load(path)
    elif o.kind == "pt":
        loaded = torch.load(path)
        return loaded["x"], loaded["y"]
    elif o.kind == "pickle":
        with open(path, "rb") as file:
            loaded = pickle.load(file)
        return torch.tensor(loaded["x"]), torch.tensor(loaded["y"])
    else:
        import pandas as pd

        both = pd.read_parquet(path).values
    return torch.tensor(both[:, :12], dtype=torch.float32), torch.tensor(both[:, 12], dtype=torch.long)


for number in range(o.shards):
    write(number, rows[number * 300 : number * 300 + 300], labels[number * 300 : number * 300 + 300])
model = models.mlp(12, 5)
optimizer = optimizers.make(o.optimizer, model.parameters(), o.lr)
log = logs.open_log(o.format, options.config(o))
step = 0
for number in range(o.shards):
    print(f"loading shard {number + 1}/{o.shards}")
    x, y = read(number)
    for batch in torch.randperm(len(x)).split(16):
        loss = nn.functional.cross_entropy(model(x[batch]), y[batch])
        optimizer.zero_grad()
        loss.backward()
        norm = nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        if step % o.every == 0:
            log.train(step, loss=loss.item(), grad_norm=norm.item(), lr=o.lr)
        step += 1
log.close()
