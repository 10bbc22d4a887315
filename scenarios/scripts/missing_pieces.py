"""Files, columns and keys that the training code expects and the data does not have."""

import json
from pathlib import Path

import torch
from torch import nn

from kit import data, logs, models, optimizers, options

o = options.read(kind="file", workers=0, steps=120)

Path("data").mkdir()
rows, labels = data.table(960, 8, 4, o.seed)


class Records(torch.utils.data.Dataset):
    """One JSON file per record, listed in an index."""

    def __init__(self):
        self.index = json.loads(Path("data/index.json").read_text())

    def __len__(self):
        return len(self.index)

    def __getitem__(self, position):
        entry = self.index[position]
        record = json.loads(Path(f"data/{entry['file']}").read_text())
        return torch.tensor(record["features"]), record["label"]


def write():
    index = []
    for start in range(0, 960, 6):
        name = f"record-{start // 6:04d}.json"
        record = {"features": [round(v, 3) for v in rows[start].tolist()], "label": int(labels[start])}
        if o.kind == "key" and start == 600:
            record["target"] = record.pop("label")
        if not (o.kind == "file" and start == 780):
            Path(f"data/{name}").write_text(json.dumps(record))
        index.append({"file": name})
    Path("data/index.json").write_text(json.dumps(index))


def column():
    import pandas as pd

    frame = pd.DataFrame(rows.numpy(), columns=list("abcdefgh")).assign(Label=labels.numpy())
    frame.to_csv("data/train.csv", index=False)
    frame = pd.read_csv("data/train.csv")
    print(f"{len(frame)} rows, columns: {', '.join(frame.columns)}")
    return torch.utils.data.TensorDataset(torch.tensor(frame[list("abcdefgh")].values, dtype=torch.float32), torch.tensor(frame["label"].values))


def directory():
    from torch.utils.data import TensorDataset

    parts = [torch.load(f"/data/corpus/v2/train-{i}.pt") for i in range(4)]
    return TensorDataset(*(torch.cat(part) for part in zip(*parts)))


def mapped():
    """The datasets library: the column is called `text`, the tokenizing function asks for `sentence`."""
    import datasets

    source = datasets.Dataset.from_dict({"text": [" ".join(map(str, r)) for r in rows[:64].int().tolist()], "label": labels[:64].tolist()})
    tokenized = source.map(lambda example: {"x": [float(v) for v in example["sentence"].split()]})
    return torch.utils.data.TensorDataset(torch.tensor(tokenized["x"]), torch.tensor(tokenized["label"]))


if o.kind in ("file", "key"):
    write()
dataset = {"column": column, "directory": directory, "mapped": mapped}.get(o.kind, Records)()
loader = torch.utils.data.DataLoader(dataset, 8, num_workers=o.workers)
model = models.mlp(8, 4)
optimizer = optimizers.make(o.optimizer, model.parameters(), o.lr)
log = logs.open_log(o.format, options.config(o))
for step, (x, y) in enumerate(loader):
    loss = nn.functional.cross_entropy(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % o.every == 0:
        log.train(step, loss=loss.item(), lr=o.lr)
log.close()
