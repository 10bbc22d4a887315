"""Rectified units that start far below zero, or are pushed there by too large steps, and stay."""

import torch
from torch import nn

from kit import logs, optimizers, options, tasks

o = options.read(kind="rate", offset=8.0, watch="yes", optimizer="sgd", lr=0.05)

task = tasks.make(o.architecture, o.seed)
if o.architecture == "cnn":
    model = nn.Sequential(
        nn.Conv2d(1, 12, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(12, 24, 3, padding=1), nn.ReLU(),
        nn.AdaptiveAvgPool2d(4), nn.Flatten(), nn.Linear(384, 64), nn.ReLU(), nn.Linear(64, 10),
    )  # fmt: skip
else:
    model = task.model
if o.kind == "bias":
    for layer in model:
        if isinstance(layer, nn.Linear) and layer.out_features != 10:
            nn.init.constant_(layer.bias, -o.offset)
zeros = {}
for name, layer in model.named_modules():
    if isinstance(layer, nn.ReLU):
        layer.register_forward_hook(lambda _, __, out, name=name: zeros.__setitem__(name, (out <= 0).float().mean().item()))
optimizer = optimizers.make(o.optimizer, model.parameters(), o.lr)
log = logs.open_log(o.format, options.config(o))
for step in range(o.steps):
    inputs, labels = task.batch(o.batch)
    loss = nn.functional.cross_entropy(model(inputs), labels)
    optimizer.zero_grad()
    loss.backward()
    norm = nn.utils.clip_grad_norm_(model.parameters(), float("inf"))
    optimizer.step()
    if step % o.every == 0:
        seen = {"dead_fraction": max(zeros.values())} if o.watch == "yes" else {}
        log.train(step, loss=loss.item(), grad_norm=norm.item(), lr=o.lr, **seen)
log.close()
