"""A run that stops for a checkpoint and goes on from it, in one log: steps go back a little, the loss does not."""

import torch
from torch import nn

from kit import logs, optimizers, options, tasks

o = options.read(architecture="gru", lr=2e-3, saved=120, stopped=150)

task = tasks.make(o.architecture, o.seed)
model, optimizer = task.model, optimizers.make(o.optimizer, task.model.parameters(), o.lr)
log = logs.open_log(o.format, options.config(o, checkpoint_every=o.saved))


def train(first, last):
    for step in range(first, last):
        if step == o.saved:
            torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict(), "step": step}, "last.pt")
            print(f"saved checkpoint at step {step}")
        loss = task.loss(model, task.batch(o.batch))
        optimizer.zero_grad()
        loss.backward()
        norm = nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        if step % o.every == 0:
            log.train(step, loss=loss.item(), grad_norm=norm.item(), lr=o.lr)


train(0, o.stopped)
state = torch.load("last.pt")
model.load_state_dict(state["model"])
optimizer.load_state_dict(state["optimizer"])
print(f"Resuming training from checkpoint last.pt at step {state['step']}")
train(state["step"] + 1, o.steps)
log.close()
print("training finished")
