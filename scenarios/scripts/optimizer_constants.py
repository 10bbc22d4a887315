"""Adam with constants that were meant for something else: an epsilon of one, a second beta below the first, momentum near one."""

import torch
from torch import nn

from kit import logs, options, tasks

o = options.read(kind="epsilon", epsilon=1.0, beta2=0.999, momentum=0.999)

task = tasks.make(o.architecture, o.seed)
model = task.model
if o.kind == "momentum":
    optimizer = torch.optim.SGD(model.parameters(), lr=o.lr, momentum=o.momentum)
    settings = {"momentum": o.momentum}
else:
    kind = torch.optim.Adam if o.optimizer == "adam" else torch.optim.AdamW
    optimizer = kind(model.parameters(), lr=o.lr, eps=o.epsilon, betas=(0.9, o.beta2))
    settings = {"adam_epsilon": o.epsilon, "adam_beta1": 0.9, "adam_beta2": o.beta2}
log = logs.open_log(o.format, options.config(o, **settings))
for step in range(o.steps):
    loss = task.loss(model, task.batch(o.batch))
    optimizer.zero_grad()
    loss.backward()
    norm = nn.utils.clip_grad_norm_(model.parameters(), float("inf"))
    optimizer.step()
    if step % o.every == 0:
        log.train(step, loss=loss.item(), grad_norm=norm.item(), lr=o.lr)
    if step % 80 == 79:
        held_out, accuracy = task.evaluate(model)
        log.eval(step, loss=held_out, accuracy=accuracy)
log.close()
