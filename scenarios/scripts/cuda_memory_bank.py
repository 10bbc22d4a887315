"""Contrastive learning on a GPU with a bank of earlier embeddings: the bank grows for ever, or is kept at a fixed size."""

import argparse

import torch
from torch import nn

from kit import data, logs, models, optimizers

parser = argparse.ArgumentParser()
parser.add_argument("--keep", type=int, default=0, help="rows that the bank keeps; 0 keeps them all")
parser.add_argument("--architecture", default="mlp", choices=("mlp", "cnn"))
parser.add_argument("--optimizer", default="sgd")
parser.add_argument("--format", default="plain")
parser.add_argument("--limit", type=float, default=0.01)
parser.add_argument("--seed", type=int, default=0)
options = parser.parse_args()

torch.manual_seed(options.seed)
torch.cuda.set_per_process_memory_fraction(options.limit)
device = torch.device("cuda")
batch, width, steps, lr = 256, 2048, 400, 0.05
if options.architecture == "mlp":
    rows, _ = data.table(8192, 64, 4, options.seed)
    encoder = models.mlp(64, width, width=256)
else:
    rows, _ = data.images(8192, 4, options.seed)
    encoder = models.cnn(width, width=16)
encoder = encoder.to(device)
optimizer = optimizers.make(options.optimizer, encoder.parameters(), lr)
log = logs.open_log(
    options.format,
    {"architecture": options.architecture, "optimizer": options.optimizer, "learning_rate": lr, "batch": batch, "bank": options.keep or "all", "steps": steps},
)
draw = data.generator(options.seed)
bank = torch.empty(0, width, device=device)
for step in range(steps):
    x = rows[torch.randint(0, len(rows), (batch,), generator=draw)].to(device)
    first = nn.functional.normalize(encoder(x + 0.1 * torch.randn_like(x)), dim=1)
    second = nn.functional.normalize(encoder(x + 0.1 * torch.randn_like(x)), dim=1)
    positive = (first * second).sum(1, keepdim=True)
    negative = first @ torch.cat([second.detach(), bank[-4096:]]).T
    negative[:, :batch].fill_diagonal_(-1)
    loss = nn.functional.cross_entropy(torch.cat([positive, negative], 1) / 0.2, torch.zeros(batch, dtype=torch.long, device=device))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    bank = torch.cat([bank, second.detach()])
    if options.keep:
        bank = bank[-options.keep :]
    if step % 3 == 0:
        log.train(step, loss=loss.item(), lr=lr, memory_gb=torch.cuda.memory_allocated() / 2**30)
log.close()
print("done")
