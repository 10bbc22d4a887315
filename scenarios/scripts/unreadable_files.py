"""Data files that cannot be decoded: a wrong encoding, broken JSON, a CSV with another number of fields, not a picture."""

import json
from pathlib import Path

import torch
from torch import nn

from kit import data, logs, models, optimizers, options

o = options.read(kind="encoding", workers=0, steps=120, at=400, epochs=3)

Path("data").mkdir()
rows, labels = data.table(900, 8, 4, o.seed)


def write():
    if o.kind == "encoding":
        for part in range(9):
            lines = [f"{' '.join(f'{v:.3f}' for v in rows[i])}\tclasse_{int(labels[i])}" for i in range(part * 100, part * 100 + 100)]
            text = "\n".join(lines) + ("\n# relevé à Orléans, été\n" if part == 5 else "\n")
            Path(f"data/part-{part}.txt").write_bytes(text.encode("latin-1" if part == 5 else "utf-8"))
    elif o.kind == "json":
        lines = [json.dumps({"x": [round(v, 3) for v in rows[i].tolist()], "y": int(labels[i])}) for i in range(900)]
        lines[o.at] = lines[o.at][:40]
        Path("data/train.jsonl").write_text("\n".join(lines) + "\n")
    elif o.kind == "fields":
        lines = ["a,b,c,d,e,f,g,h,label"] + [",".join(f"{v:.3f}" for v in rows[i]) + f",{int(labels[i])}" for i in range(900)]
        lines[o.at] += ",,duplicate"
        Path("data/train.csv").write_text("\n".join(lines) + "\n")
    elif o.kind == "number":
        lines = [",".join(f"{v:.3f}" for v in rows[i]) + f",{int(labels[i])}" for i in range(900)]
        lines[o.at] = lines[o.at].replace(".", ",", 1).replace(lines[o.at].split(",")[2], "n/a", 1)
        Path("data/train.csv").write_text("\n".join(lines) + "\n")
    else:
        from PIL import Image

        for i in range(160):
            Image.fromarray((rows[i, :4].repeat(4, 1).sigmoid() * 255).byte().numpy()).save(f"data/{i:03d}.png")
        Path("data/133.png").write_bytes(b"<html><body>429 Too Many Requests</body></html>")


class Samples(torch.utils.data.Dataset):
    """Reads one sample when it is asked for."""

    def __init__(self):
        self.lines = Path("data/train.jsonl" if o.kind == "json" else "data/train.csv").read_text().splitlines() if o.kind in ("json", "number") else None

    def __len__(self):
        return len(self.lines) if self.lines else 160

    def __getitem__(self, index):
        if o.kind == "json":
            sample = json.loads(self.lines[index])
            return torch.tensor(sample["x"]), sample["y"]
        if o.kind == "number":
            *values, label = self.lines[index].split(",")
            return torch.tensor([float(v) for v in values]), int(label)
        import numpy as np
        from PIL import Image

        with Image.open(f"data/{index:03d}.png") as picture:
            return torch.tensor(np.asarray(picture), dtype=torch.float32).flatten()[:8] / 255, int(labels[index])


def dataset():
    if o.kind == "encoding":
        texts = []
        for file in sorted(Path("data").glob("part-*.txt")):
            with open(file, encoding="utf-8") as handle:
                texts += [line.split("\t") for line in handle.read().splitlines() if "\t" in line]
            print(f"read {file}: {len(texts)} lines so far")
        return torch.utils.data.TensorDataset(torch.tensor([[float(v) for v in t[0].split()] for t in texts]), torch.tensor([int(t[1][-1]) for t in texts]))
    if o.kind == "fields":
        import pandas as pd

        frame = pd.read_csv("data/train.csv")
        return torch.utils.data.TensorDataset(torch.tensor(frame.values[:, :8], dtype=torch.float32), torch.tensor(frame["label"].values))
    return Samples()


write()
loader = torch.utils.data.DataLoader(dataset(), o.batch, shuffle=False, num_workers=o.workers)
model = models.mlp(8, 4)
optimizer = optimizers.make(o.optimizer, model.parameters(), o.lr)
log = logs.open_log(o.format, options.config(o))
step = 0
for epoch in range(o.epochs):
    for x, y in loader:
        loss = nn.functional.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % o.every == 0:
            log.train(step, loss=loss.item(), lr=o.lr)
        step += 1
log.close()
