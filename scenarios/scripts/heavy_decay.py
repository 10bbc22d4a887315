"""Weight decay that pulls every weight to zero faster than the gradient can push."""

import torch
from torch import nn

from kit import logs, options, tasks

o = options.read(decay=300.0)


def loop():
    task = tasks.make(o.architecture, o.seed)
    model = task.model
    kind = {"adamw": torch.optim.AdamW, "sgd": torch.optim.SGD, "adam": torch.optim.Adam}[o.optimizer]
    optimizer = kind(model.parameters(), lr=o.lr, weight_decay=o.decay)
    log = logs.open_log(o.format, options.config(o, weight_decay=o.decay))
    for step in range(o.steps):
        loss = task.loss(model, task.batch(o.batch))
        optimizer.zero_grad()
        loss.backward()
        norm = nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        if step % o.every == 0:
            weights = torch.stack([p.detach().norm() for p in model.parameters()]).norm()
            log.train(step, loss=loss.item(), grad_norm=norm.item(), lr=o.lr, weight_norm=weights.item())
    held_out, accuracy = task.evaluate(model)
    log.eval(o.steps, loss=held_out, accuracy=accuracy)
    log.close()


def hugging_face():
    from kit import hugging_face as hf

    trainer = hf.trainer(hf.gpt2(), hf.text_windows(2000, o.seed), o.lr, o.steps, o.batch, weight_decay=o.decay, lr_scheduler_type="constant")
    trainer.train()


{"pytorch": loop, "transformers": hugging_face}[o.framework]()
