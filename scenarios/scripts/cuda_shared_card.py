"""A card shared with another process, which holds its memory from the start or takes more and more of it while training runs."""

import argparse
import subprocess
import sys

import torch
from torch import nn

from kit import data, logs, models, optimizers

parser = argparse.ArgumentParser()
parser.add_argument("--kind", required=True, choices=("from-start", "growing"))
parser.add_argument("--architecture", default="cnn")
parser.add_argument("--optimizer", default="momentum")
parser.add_argument("--format", default="plain")
parser.add_argument("--seed", type=int, default=0)
options = parser.parse_args()

neighbour = """
import sys, torch
held = []
for line in sys.stdin:
    free = torch.cuda.mem_get_info()[0]
    held.append(torch.empty(int(free * float(line)), dtype=torch.uint8, device="cuda"))
    print("ready", flush=True)
"""
other = subprocess.Popen([sys.executable, "-c", neighbour], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def neighbour_takes(share):
    other.stdin.write(f"{share}\n")
    other.stdin.flush()
    other.stdout.readline()


torch.manual_seed(options.seed)
device = torch.device("cuda")
try:
    neighbour_takes(0.985 if options.kind == "from-start" else 0.5)
    pictures, labels = data.images(2048, 8, options.seed, size=64)
    model = (models.cnn(8, width=64) if options.architecture == "cnn" else models.VisionTransformer(8, size=64, width=256)).to(device)
    optimizer = optimizers.make(options.optimizer, model.parameters(), 0.01)
    log = logs.open_log(options.format, {"architecture": options.architecture, "optimizer": options.optimizer, "learning_rate": 0.01, "batch": 1024})
    for step in range(120):
        # The last batches are larger; they would fit if the card were free.
        count = 1024 if step < 90 else 2048
        rows = torch.arange(step, step + count) % 2048
        x, y = pictures[rows].to(device), labels[rows].to(device)
        loss = nn.functional.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if options.kind == "growing" and step % 10 == 9:
            neighbour_takes(0.6)
        if step % 2 == 0:
            log.train(step, loss=loss.item(), lr=0.01, memory_gb=torch.cuda.memory_allocated() / 2**30)
    log.close()
    print("done")
finally:
    other.kill()
