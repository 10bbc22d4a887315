"""Samples of different lengths in one batch, and nobody pads them."""

import numpy as np
import torch
from torch import nn

from kit import data, logs, models, optimizers, options, tasks

o = options.read(architecture="gru", kind="collate", workers=0, at=700, steps=200)


class Texts(torch.utils.data.Dataset):
    """Sentences of one length, except the few that the export left longer."""

    def __init__(self, vocab=64, context=24):
        self.stream = data.token_stream(6000, vocab, o.seed)
        self.context = context

    def __len__(self):
        return 1200

    def __getitem__(self, index):
        length = self.context + (index >= o.at and index % 7 == 0) * 5
        window = self.stream[index * 4 : index * 4 + length + 1]
        return {"input_ids": window[:-1], "labels": window[1:]}


def stack(samples):
    """The collate function of somebody who works with numpy."""
    return {name: torch.tensor(np.array([sample[name].numpy() for sample in samples])) for name in samples[0]}


def loop():
    loader = torch.utils.data.DataLoader(Texts(), o.batch, num_workers=o.workers, collate_fn=stack if o.kind == "numpy" else None)
    model = models.language_model(o.architecture, 64, width=48)
    optimizer = optimizers.make(o.optimizer, model.parameters(), o.lr)
    log = logs.open_log(o.format, options.config(o))
    for step, batch in enumerate(loader):
        loss = nn.functional.cross_entropy(model(batch["input_ids"]).flatten(0, 1), batch["labels"].flatten())
        optimizer.zero_grad()
        loss.backward()
        norm = nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        if step % o.every == 0:
            log.train(step, loss=loss.item(), grad_norm=norm.item(), lr=o.lr)
    log.close()


def hugging_face():
    from kit import hugging_face as hf

    texts = Texts()
    rows = hf.Rows([{"input_ids": texts[i]["input_ids"].tolist(), "labels": texts[i]["input_ids"].tolist()} for i in range(1200)])
    hf.trainer(hf.gpt2(), rows, o.lr, o.steps, o.batch).train()


{"pytorch": loop, "transformers": hugging_face}[o.framework]()
