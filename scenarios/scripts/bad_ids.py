"""Token ids that the embedding table does not have, met in the middle of training."""

import torch
from torch import nn

from kit import data, logs, optimizers, options, tasks

o = options.read(at=70, steps=160, extra=5, architecture="gru", kind="id")


def loop():
    task = tasks.make(o.architecture, o.seed)
    model, optimizer = task.model, optimizers.make(o.optimizer, task.model.parameters(), o.lr)
    log = logs.open_log(o.format, options.config(o, vocab_size=task.vocab))
    for step in range(o.steps):
        batch = [part.clone() for part in task.batch(o.batch)]
        if step == o.at:
            # The shard that somebody tokenized with newer merges (or left padded with -1).
            batch[0][1, 3] = -1 if o.kind == "padding" else task.vocab + o.extra
        loss = task.loss(model, batch)
        optimizer.zero_grad()
        loss.backward()
        norm = nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        if step % o.every == 0:
            log.train(step, loss=loss.item(), grad_norm=norm.item(), lr=o.lr)
    log.close()


def hugging_face():
    from kit import hugging_face as hf

    rows = hf.text_windows(1500, o.seed)
    late = torch.cat([rows.rows[900]["input_ids"][:-1], torch.tensor([96 + o.extra])])
    rows.rows[900] = {"input_ids": late, "labels": late}
    hf.trainer(hf.gpt2(), rows, o.lr, o.steps, o.batch).train()


def keras():
    import keras as k

    from kit import keras_runs

    k.utils.set_random_seed(o.seed)
    task = tasks.make("encoder", o.seed)
    texts = task.inputs[:800].clone()
    texts[701, 4] = task.vocab + o.extra
    model = keras_runs.recurrent(task.vocab, 6)
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    keras_runs.fit(model, texts.numpy(), task.labels[:800].numpy(), o.format, o.steps)


{"pytorch": loop, "transformers": hugging_face, "keras": keras}[o.framework]()
