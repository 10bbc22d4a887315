"""Labels masked with -100 so thoroughly that some or all batches have no target left."""

import torch
from torch import nn

from kit import data, logs, models, optimizers, options

o = options.read(architecture="decoder", kind="all", at=90, steps=180, batch=16)


def masked(windows, step):
    """Prompts are masked; answers begin after the separator, which truncation may have cut off."""
    labels = windows.clone()
    keep = 0 if o.kind == "all" or (o.kind == "later" and step >= o.at) else 12
    labels[:, : labels.shape[1] - keep] = -100
    return labels


def loop():
    stream = data.token_stream(8000, 64, o.seed)
    model = models.language_model(o.architecture, 64, width=48)
    optimizer = optimizers.make(o.optimizer, model.parameters(), o.lr)
    log = logs.open_log(o.format, options.config(o, ignore_index=-100, max_length=24))
    for step, (x, y) in enumerate(data.token_batches(stream, o.batch, 24, o.steps, o.seed)):
        y = masked(y, step)
        loss = nn.functional.cross_entropy(model(x).flatten(0, 1), y.flatten(), ignore_index=-100)
        optimizer.zero_grad()
        loss.backward()
        norm = nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        if step % o.every == 0:
            log.train(step, loss=loss.item(), grad_norm=norm.item(), lr=o.lr, target_tokens=float((y != -100).sum()))
    log.close()


def hugging_face():
    from kit import hugging_face as hf

    rows = hf.text_windows(800, o.seed)
    rows.rows = [{"input_ids": row["input_ids"], "labels": masked(row["labels"][None], 0)[0]} for row in rows.rows]
    print(f"example labels: {rows.rows[0]['labels'].tolist()}")
    trainer = hf.trainer(hf.gpt2(), rows, o.lr, o.steps, o.batch)
    trainer.train()


{"pytorch": loop, "transformers": hugging_face}[o.framework]()
