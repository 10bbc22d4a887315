"""A sequence-to-sequence model on a GPU: batches by count, not by tokens, so that one very long pair, or ever longer ones, do not fit."""

import argparse

import torch
from torch import nn

from kit import data, logs, models, optimizers

parser = argparse.ArgumentParser()
parser.add_argument("--kind", required=True, choices=("outlier", "curriculum", "capacity", "healthy"))
parser.add_argument("--optimizer", default="adamw")
parser.add_argument("--format", default="plain")
parser.add_argument("--limit", type=float, default=0.01)
parser.add_argument("--seed", type=int, default=0)
options = parser.parse_args()

torch.manual_seed(options.seed)
torch.cuda.set_per_process_memory_fraction(options.limit)
device = torch.device("cuda")
vocab, steps, lr = 128, 260, 3e-4
batch = 2048 if options.kind == "capacity" else 16
model = models.EncoderDecoder(vocab, width=128).to(device)
optimizer = optimizers.make(options.optimizer, model.parameters(), lr)
log = logs.open_log(
    options.format,
    {"architecture": "encoder-decoder", "optimizer": options.optimizer, "learning_rate": lr, "batch": batch, "steps": steps, "steps_per_epoch": 100},
)
draw = data.generator(options.seed)


def length_at(step):
    if options.kind == "curriculum":
        return 16 + 8 * step
    if options.kind == "outlier" and step == 173:
        return 3200
    return int(torch.randint(24, 96, (1,), generator=draw))


for step in range(steps):
    length = length_at(step)
    source = torch.randint(1, vocab, (batch, length), generator=draw).to(device)
    target = torch.cat([torch.zeros(batch, 1, dtype=torch.long, device=device), source.flip(1)], 1)
    logits = model(source, target[:, :-1])
    loss = nn.functional.cross_entropy(logits.flatten(0, 1), target[:, 1:].flatten())
    optimizer.zero_grad()
    loss.backward()
    norm = nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    if step % 2 == 0:
        log.train(step, loss=loss.item(), grad_norm=norm.item(), lr=lr, tokens=float(batch * length), memory_gb=torch.cuda.max_memory_allocated() / 2**30)
        torch.cuda.reset_peak_memory_stats()
log.close()
print("done")
