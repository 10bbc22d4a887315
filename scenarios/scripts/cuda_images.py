"""Image classifiers on a GPU: a batch or a resolution that does not fit, predictions kept with their graphs, and healthy twins."""

import argparse

import torch
from torch import nn

from kit import data, logs, models, optimizers

parser = argparse.ArgumentParser()
parser.add_argument("--kind", required=True, choices=("batch", "resolution", "history", "healthy", "healthy-warm-cache"))
parser.add_argument("--architecture", default="cnn", choices=("cnn", "vit"))
parser.add_argument("--optimizer", default="adamw")
parser.add_argument("--format", default="jsonl")
parser.add_argument("--batch", type=int, default=64)
parser.add_argument("--limit", type=float, default=0.005)
parser.add_argument("--seed", type=int, default=0)
options = parser.parse_args()

torch.manual_seed(options.seed)
torch.cuda.set_per_process_memory_fraction(options.limit)
device = torch.device("cuda")
classes, size, steps, lr = 8, 32, 360, 1e-3
pictures, labels = data.images(4096, classes, options.seed, size=size)
model = models.cnn(classes, width=32) if options.architecture == "cnn" else models.VisionTransformer(classes, size=size, width=128)
model = model.to(device)
optimizer = optimizers.make(options.optimizer, model.parameters(), lr)
log = logs.open_log(
    options.format,
    {"architecture": options.architecture, "optimizer": options.optimizer, "learning_rate": lr, "batch": options.batch, "steps": steps, "steps_per_epoch": 64},
)
draw = data.generator(options.seed)
history = []
for step in range(steps):
    rows = torch.randint(0, len(pictures), (options.batch,), generator=draw)
    x, y = pictures[rows].to(device), labels[rows].to(device)
    if options.kind == "resolution":
        # Progressive resizing: twice the side every 90 steps.
        x = nn.functional.interpolate(x, scale_factor=2 ** (step // 90))
    logits = model(x)
    loss = nn.functional.cross_entropy(logits, y)
    optimizer.zero_grad()
    loss.backward()
    norm = nn.utils.clip_grad_norm_(model.parameters(), 5.0)
    optimizer.step()
    if options.kind == "history" and step % 2 == 0:
        # For the confusion matrix at the end of training.
        history.append(model(x[:16]))
    if options.kind == "healthy-warm-cache" and step < 60:
        history.append(x)
    if step % 3 == 0:
        log.train(
            step,
            loss=loss.item(),
            accuracy=(logits.argmax(1) == y).float().mean().item(),
            grad_norm=norm.item(),
            lr=lr,
            memory_gb=torch.cuda.memory_allocated() / 2**30,
        )
log.close()
print("done")
