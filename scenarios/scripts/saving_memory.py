"""Operations that write into their input to save memory."""

import torch
from torch import nn

from kit import logs, models, optimizers, options, tasks

o = options.read(trick="activation", steps=100)

task = tasks.make(o.architecture, o.seed)
model = task.model


class Frugal(nn.Module):
    """Squashes the hidden states in place before the head."""

    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, tokens):
        hidden = torch.sigmoid(self.model.recurrent(self.model.tokens(tokens))[0])
        logits = self.model.head(hidden)
        hidden.mul_(0.5)
        return logits


class Normalised(nn.Module):
    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, pictures):
        hidden = self.model[:-1](pictures)
        scale = hidden.exp()
        hidden = hidden * scale
        scale += 1
        return self.model[-1](hidden / scale)


if o.trick == "activation":
    model = Frugal(model)
elif o.trick == "normalise":
    model = Normalised(models.cnn(10))
optimizer = optimizers.make(o.optimizer, model.parameters(), o.lr)
log = logs.open_log(o.format, options.config(o))
for step in range(o.steps):
    loss = task.loss(model, task.batch(o.batch))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if o.trick == "decay" and step >= 30:
        for parameter in model.parameters():
            parameter.mul_(1 - 1e-4)
    if step % o.every == 0:
        log.train(step, loss=loss.item(), lr=o.lr)
log.close()
