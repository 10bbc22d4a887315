"""Training on longer texts or larger pictures than the model has positions for."""

import torch
from torch import nn

from kit import data, logs, models, optimizers, options

o = options.read(context=32, length=48, steps=120, at=30)


def loop():
    log = logs.open_log(o.format, options.config(o, block_size=o.context, vocab_size=64))
    if o.architecture == "vit":
        model = models.VisionTransformer(10, size=16)
    else:
        model = models.Decoder(64, width=48, context=o.context)
    optimizer = optimizers.make(o.optimizer, model.parameters(), o.lr)
    stream = data.token_stream(8000, 64, o.seed)
    for step in range(o.steps):
        if o.architecture == "vit":
            inputs, targets = data.images(o.batch, 10, step, size=16 if step < o.at else 24)
            loss = nn.functional.cross_entropy(model(inputs), targets)
        else:
            length = o.context if step < o.at else o.length
            inputs, targets = next(data.token_batches(stream, o.batch, length, 1, step))
            loss = nn.functional.cross_entropy(model(inputs).flatten(0, 1), targets.flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % o.every == 0:
            log.train(step, loss=loss.item(), lr=o.lr)
    log.close()


def hugging_face():
    from kit import hugging_face as hf

    if o.architecture == "encoder":
        g = data.generator(o.seed)
        rows = hf.Rows([{"input_ids": torch.randint(0, 60, (o.length,), generator=g), "labels": torch.tensor(i % 6)} for i in range(400)])
        model = hf.bert(context=o.context)
    else:
        model, rows = hf.gpt2(context=o.context), hf.text_windows(400, o.seed, context=o.length)
    hf.trainer(model, rows, o.lr, o.steps).train()


{"pytorch": loop, "transformers": hugging_face}[o.framework]()
