"""Validation on a GPU that keeps the graph of every batch, after epochs that fit; and the same with `no_grad`."""

import argparse
import contextlib

import torch
from torch import nn

from kit import data, logs, models, optimizers

parser = argparse.ArgumentParser()
parser.add_argument("--architecture", default="encoder", choices=("encoder", "gru", "vit"))
parser.add_argument("--optimizer", default="adamw")
parser.add_argument("--format", default="plain")
parser.add_argument("--no-grad", type=int, default=0)
parser.add_argument("--limit", type=float, default=0.01)
parser.add_argument("--seed", type=int, default=0)
options = parser.parse_args()

torch.manual_seed(options.seed)
torch.cuda.set_per_process_memory_fraction(options.limit)
device = torch.device("cuda")
vocab, context, batch, lr, epochs, per_epoch = 256, 128, 64, 5e-4, 3, 60
if options.architecture == "vit":
    inputs, labels = data.images(4000, 8, options.seed, size=32)
    model = models.VisionTransformer(8, size=32, patch=2, width=128)
elif options.architecture == "encoder":
    inputs = torch.randint(0, vocab, (4000, context), generator=data.generator(options.seed))
    labels = inputs[:, 3] % 8
    model = models.Encoder(vocab, 8, width=128, context=context)
else:
    inputs = data.token_stream(4000 * context, vocab, options.seed).view(4000, context)
    labels = inputs
    model = models.Recurrent("gru", vocab, width=256)
model = model.to(device)
optimizer = optimizers.make(options.optimizer, model.parameters(), lr)
log = logs.open_log(
    options.format,
    {"architecture": options.architecture, "optimizer": options.optimizer, "learning_rate": lr, "batch": batch, "epochs": epochs, "steps_per_epoch": per_epoch},
)


def loss_of(x, y):
    logits = model(x.to(device))
    y = y.to(device)
    return nn.functional.cross_entropy(logits[:, :-1].flatten(0, 1), y[:, 1:].flatten()) if logits.dim() == 3 else nn.functional.cross_entropy(logits, y)


def validate():
    model.eval()
    total, count = 0.0, 0
    with torch.no_grad() if options.no_grad else contextlib.nullcontext():
        for start in range(0, len(inputs), batch):
            total = total + loss_of(inputs[start : start + batch], labels[start : start + batch])
            count += 1
    model.train()
    return (total / count).item()


draw = data.generator(options.seed)
step = 0
for epoch in range(epochs):
    for _ in range(per_epoch):
        rows = torch.randint(0, len(inputs), (batch,), generator=draw)
        loss = loss_of(inputs[rows], labels[rows])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 4 == 0:
            log.train(step, loss=loss.item(), lr=lr, memory_gb=torch.cuda.memory_allocated() / 2**30)
        step += 1
    print(f"epoch {epoch}: validating", flush=True)
    log.eval(step, loss=validate())
log.close()
print("done")
