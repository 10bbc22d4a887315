"""Data sets that a filter, a glob, a split or drop_last leaves empty."""

from pathlib import Path

import torch
from torch import nn

from kit import data, logs, models, optimizers, options

o = options.read(kind="filter", epochs=3)


def loop():
    rows, labels = data.table(600, 12, 5, o.seed)
    model = models.mlp(12, 5)
    optimizer = optimizers.make(o.optimizer, model.parameters(), o.lr)
    if o.kind == "filter":
        kept = [i for i in range(600) if float(rows[i].norm()) > 40]
        print(f"kept {len(kept)} of 600 rows with norm > 40")
    elif o.kind == "glob":
        kept = sorted(Path("data/train").glob("*.npy"))
        print(f"found {len(kept)} files in data/train")
    elif o.kind == "drop-last":
        kept = list(range(20))
    else:
        kept = list(range(600))
    dataset = torch.utils.data.Subset(torch.utils.data.TensorDataset(rows, labels), kept)
    loader = torch.utils.data.DataLoader(dataset, o.batch, shuffle=o.kind in ("filter", "glob"), drop_last=True)
    held_out = torch.utils.data.DataLoader(torch.utils.data.Subset(dataset, []), o.batch)
    log = logs.open_log(o.format, options.config(o, rows=len(kept)))
    step = 0
    for epoch in range(o.epochs):
        total = 0.0
        for x, y in loader:
            loss = nn.functional.cross_entropy(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item()
            if step % o.every == 0:
                log.train(step, loss=loss.item(), lr=o.lr)
            step += 1
        print(f"epoch {epoch}: mean training loss {total / len(loader):.4f}")
        if o.kind == "validation":
            losses = [nn.functional.cross_entropy(model(x), y).item() for x, y in held_out]
            print(f"epoch {epoch}: validation loss {sum(losses) / len(losses):.4f}")
    log.close()


def hugging_face():
    from kit import hugging_face as hf

    rows = hf.text_windows(300, o.seed)
    rows.rows = [row for row in rows.rows if len(row["input_ids"]) > 64]
    hf.trainer(hf.gpt2(), rows, o.lr, 100).train()


{"pytorch": loop, "transformers": hugging_face}[o.framework]()
