"""A linear warm-up towards a peak that the model cannot bear: the loss leaves on the way up."""

import torch

from kit import logs, optimizers, options, tasks

o = options.read(warmup=400, architecture="decoder")


def loop():
    task = tasks.make(o.architecture, o.seed)
    model, optimizer = task.model, optimizers.make(o.optimizer, task.model.parameters(), o.lr)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: min(1.0, (step + 1) / o.warmup))
    log = logs.open_log(o.format, options.config(o, warmup_steps=o.warmup))
    for step in range(o.steps):
        loss = task.loss(model, task.batch(o.batch))
        optimizer.zero_grad()
        loss.backward()
        norm = torch.nn.utils.clip_grad_norm_(model.parameters(), float("inf"))
        optimizer.step()
        if step % o.every == 0:
            log.train(step, loss=loss.item(), grad_norm=norm.item(), lr=schedule.get_last_lr()[0])
        schedule.step()
    log.close()


def hugging_face():
    from kit import hugging_face as hf

    trainer = hf.trainer(
        hf.gpt2(), hf.text_windows(3000, o.seed), o.lr, o.steps, o.batch, every=o.every, warmup_steps=o.warmup, max_grad_norm=0.0,
        optim="sgd" if o.optimizer == "sgd" else "adamw_torch",
    )  # fmt: skip
    trainer.train()


{"pytorch": loop, "transformers": hugging_face}[o.framework]()
