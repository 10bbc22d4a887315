"""Recurrences whose weights are free to leave the unit circle, trained on ever longer sequences without clipping."""

import torch
from torch import nn

from kit import data, logs, optimizers, options

o = options.read(architecture="ssm", optimizer="adam", length=30, longer=4, steps=400, lr=2e-3)


class LinearState(nn.Module):
    """A diagonal state-space layer; the decay is a plain parameter."""

    def __init__(self, width=16):
        super().__init__()
        self.decay = nn.Parameter(torch.linspace(0.5, 0.9, width))
        self.enter, self.leave = nn.Linear(2, width), nn.Linear(width, 1)

    def forward(self, x):
        driven, state = self.enter(x), 0
        for t in range(x.shape[1]):
            state = self.decay * state + driven[:, t]
        return self.leave(state)


class RectifiedCell(nn.Module):
    """A gated recurrent layer with ReLU in place of tanh, as IRNN recipes use it."""

    def __init__(self, gates, width=24):
        super().__init__()
        self.gates, self.width = gates, width
        self.enter, self.again = nn.Linear(2, (gates + 1) * width), nn.Linear(width, (gates + 1) * width)
        with torch.no_grad():
            self.again.weight.mul_(0.5)
            self.again.weight[gates * width :] = 0.1 * torch.eye(width)
        self.leave = nn.Linear(width, 1)

    def forward(self, x):
        state = memory = x.new_zeros(len(x), self.width)
        for t in range(x.shape[1]):
            *gates, fresh = (self.enter(x[:, t]) + self.again(state)).chunk(self.gates + 1, 1)
            keep, take = torch.sigmoid(gates[0] + 2), torch.sigmoid(gates[-1])
            memory = keep * memory + take * torch.relu(fresh)
            state = memory
        return self.leave(state)


model = LinearState() if o.architecture == "ssm" else RectifiedCell({"gru": 2, "lstm": 3}[o.architecture])
optimizer = optimizers.make(o.optimizer, model.parameters(), o.lr)
log = logs.open_log(o.format, options.config(o, first_length=o.length, longer_every=o.longer, gradient_clip=None))
g = data.generator(o.seed)
for step in range(o.steps):
    values = torch.rand(o.batch, o.length + step // o.longer, 2, generator=g)
    target = 0.2 * values[..., :1].sum(1)
    loss = nn.functional.mse_loss(model(values), target)
    optimizer.zero_grad()
    loss.backward()
    norm = nn.utils.clip_grad_norm_(model.parameters(), float("inf"))
    optimizer.step()
    if step % o.every == 0:
        log.train(step, loss=loss.item(), grad_norm=norm.item(), lr=o.lr)
log.close()
