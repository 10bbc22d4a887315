"""Settings that the library which reads them refuses."""

import torch
from torch.utils.data import DataLoader

from kit import data, logs, optimizers, options, tasks

o = options.read(sets="betas", steps=60)


def loop():
    task = tasks.make(o.architecture, o.seed)
    model = task.model
    log = logs.open_log(o.format, options.config(o))
    if o.sets == "betas":
        optimizer = torch.optim.AdamW(model.parameters(), lr=o.lr, betas=(0.9, 1.2))
    else:
        optimizer = optimizers.make(o.optimizer, model.parameters(), o.lr)
    if o.sets == "cycle":
        schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=o.lr, total_steps=o.steps // 2)
    if o.sets == "loader":
        rows = torch.utils.data.TensorDataset(task.inputs, task.labels)
        next(iter(DataLoader(rows, o.batch, num_workers=0, prefetch_factor=4)))
    for step in range(o.steps):
        loss = task.loss(model, task.batch(o.batch))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if o.sets == "cycle":
            schedule.step()
        log.train(step, loss=loss.item(), lr=optimizer.param_groups[0]["lr"])
    log.close()


def hugging_face():
    from kit import hugging_face as hf

    more = {
        "best": {"load_best_model_at_end": True, "eval_strategy": "steps", "eval_steps": 25, "held_out": hf.text_windows(80, 9)},
        "precision": {"fp16": True, "bf16": True},
    }[o.sets]
    hf.trainer(hf.gpt2(), hf.text_windows(400, o.seed), o.lr, o.steps, save=40, **more).train()


def keras():
    from kit import keras_runs

    rows, labels = data.table(500, 16, 4, o.seed)
    model = keras_runs.dense(16, 4)
    model.compile("adam", "sparse_crossentropy", metrics=["accuracy"])
    keras_runs.fit(model, rows.numpy(), labels.numpy(), o.format, 5)


{"pytorch": loop, "transformers": hugging_face, "keras": keras}[o.framework]()
