"""Requests that the allocator cannot serve: free memory in pieces, one tensor larger than any card, a card full before cuBLAS starts."""

import argparse

import torch
from torch import nn

from kit import data, logs, models, optimizers

parser = argparse.ArgumentParser()
parser.add_argument("--kind", required=True, choices=("pieces", "attention", "distances", "one-hot", "full-before-cublas"))
parser.add_argument("--optimizer", default="adamw")
parser.add_argument("--format", default="plain")
parser.add_argument("--limit", type=float, default=0.02)
parser.add_argument("--seed", type=int, default=0)
options = parser.parse_args()

torch.manual_seed(options.seed)
device = torch.device("cuda")
total = torch.cuda.get_device_properties(0).total_memory
if options.limit < 1:
    torch.cuda.set_per_process_memory_fraction(options.limit)
    total *= options.limit
lr = 1e-3
rows, labels = data.table(4096, 64, 8, options.seed)
model = models.mlp(64, 8, width=256).to(device)
optimizer = optimizers.make(options.optimizer, model.parameters(), lr)
log = logs.open_log(options.format, {"architecture": "mlp", "optimizer": options.optimizer, "learning_rate": lr, "batch": 128})


def train(steps, first=0):
    for step in range(first, first + steps):
        x, y = rows[(step * 128) % 3968 :][:128].to(device), labels[(step * 128) % 3968 :][:128].to(device)
        loss = nn.functional.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 2 == 0:
            log.train(step, loss=loss.item(), lr=lr, memory_gb=torch.cuda.memory_allocated() / 2**30, reserved_gb=torch.cuda.memory_reserved() / 2**30)


if options.kind == "pieces":
    train(60)
    print("caching features of different lengths")
    features = [torch.empty(3 * 2**20, dtype=torch.uint8, device=device) for _ in range(int(0.9 * total / 4 / 2**20))]
    features = [piece for number, piece in enumerate(features) if number % 3]
    train(20, 60)
    print("packing what is left into one buffer")
    torch.empty(int(0.3 * total), dtype=torch.uint8, device=device)
elif options.kind == "attention":
    train(40)
    print("attention map of the whole document")
    tokens = torch.randn(1, 600_000, 64, device=device)
    scores = torch.softmax(tokens @ tokens.transpose(1, 2) / 8, dim=-1)
elif options.kind == "distances":
    train(40)
    print("nearest neighbours of all embeddings")
    embedded = torch.randn(900_000, 32, device=device)
    nearest = torch.cdist(embedded, embedded).topk(10, largest=False)
elif options.kind == "one-hot":
    train(40)
    print("encoding the categories")
    categories = torch.randint(0, 250_000, (512, 2048), device=device)
    encoded = nn.functional.one_hot(categories, 250_000).float()
else:
    # The feature cache takes what is left before the first matrix product is asked for.
    print(f"caching features: {torch.cuda.mem_get_info()[0] / 2**30:.1f} GiB free")
    cache = []
    piece = 2**33
    while piece >= 2**20:
        try:
            cache.append(torch.empty(piece, dtype=torch.uint8, device=device))
        except torch.OutOfMemoryError:
            piece //= 2
    print(f"cached {sum(len(part) for part in cache) / 2**30:.1f} GiB")
    train(20)
log.close()
print("done")
