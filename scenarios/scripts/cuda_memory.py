"""Runs that end, or almost end, in CUDA out of memory: one mechanism per `--kind`.

`--limit` shares of the card stand in for a smaller one where the mechanism does not need the whole card.
"""

import argparse
import subprocess
import sys

import torch
from torch import nn

from kit import data, logs, models, optimizers

parser = argparse.ArgumentParser()
parser.add_argument("--kind", required=True)
parser.add_argument("--architecture", default="decoder")
parser.add_argument("--optimizer", default="adamw")
parser.add_argument("--format", default="nanogpt")
parser.add_argument("--limit", type=float, default=0.02)
parser.add_argument("--seed", type=int, default=0)
options = parser.parse_args()

torch.manual_seed(options.seed)
device = torch.device("cuda")
if options.limit < 1:
    torch.cuda.set_per_process_memory_fraction(options.limit)
steps = 200
config = {
    "architecture": options.architecture,
    "optimizer": options.optimizer,
    "learning_rate": 3e-4,
    "steps": steps,
    "steps_per_epoch": 100,
}


def gibibytes():
    return torch.cuda.memory_allocated() / 2**30


def train(batch=16, context=128, width=256, layers=4, wasteful=None, batch_of=None, eval_every=0, keep_graph=False):
    vocab = 512
    log = logs.open_log(options.format, {**config, "batch": batch, "context": context, "width": width})
    if options.architecture in ("lstm", "gru", "ssm"):
        model = models.language_model(options.architecture, vocab, width=width)
    else:
        model = models.Decoder(vocab, width=width, heads=4, layers=layers, context=max(context, 4096))
    model = model.to(device)
    optimizer = optimizers.make(options.optimizer, model.parameters(), 3e-4)
    stream = data.token_stream(20_000, vocab, options.seed)
    held = []
    for step in range(steps):
        size, length = batch_of(step) if batch_of else (batch, context)
        x, y = next(data.token_batches(stream, size, length, 1, step))
        x, y = x.to(device), y.to(device)
        logits = model(x)
        loss = nn.functional.cross_entropy(logits.flatten(0, 1), y.flatten())
        loss.backward()
        norm = nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad()
        if wasteful:
            held.append(wasteful(loss, logits))
        metrics = {"loss": loss.item(), "grad_norm": norm.item(), "lr": 3e-4, "memory_gb": gibibytes()}
        if step % 2 == 0:
            log.train(step, **(metrics if options.format != "nanogpt" else {"loss": metrics["loss"]}))
            if options.format == "nanogpt":
                print(f"allocated {gibibytes():.2f} GiB, reserved {torch.cuda.memory_reserved() / 2**30:.2f} GiB")
        if eval_every and step and step % eval_every == 0:
            total = 0
            for x, y in data.token_batches(stream, batch, context, 400, step):
                part = model(x.to(device))
                total = total + nn.functional.cross_entropy(part.flatten(0, 1), y.to(device).flatten())
            log.eval(step, loss=(total / 400).item())
    log.close()
    print("training finished")


if options.kind == "capacity":
    train(batch=512, context=512, width=512)
elif options.kind == "batch-at-start":
    train(batch=4096, context=256)
elif options.kind == "leak-loss":
    # The running sum keeps every graph alive.
    kept = []
    train(wasteful=lambda loss, logits: kept.append(logits) or loss)
elif options.kind == "leak-list":
    train(batch=32, wasteful=lambda loss, logits: logits.detach())
elif options.kind == "long-batch":
    train(batch=8, batch_of=lambda step: (8, 4000) if step == 61 else (8, 64 + (step * 7) % 64))
elif options.kind == "impossible":
    print(f"preparing the similarity matrix of {options.architecture} embeddings")
    rows = torch.randn(400_000, 64, device=device)
    similarity = rows @ rows.T
elif options.kind == "eval-graph":
    train(batch=16, context=256, eval_every=20)
elif options.kind == "optimizer-state":
    print("building model")
    width = 6144
    model = nn.Sequential(*[nn.Linear(width, width) for _ in range(7)]).to(device)
    optimizer = optimizers.make(options.optimizer, model.parameters(), 1e-4)
    print(f"parameters on device, {gibibytes():.2f} GiB allocated")
    for step in range(10):
        x = torch.randn(4, width, device=device)
        loss = model(x).pow(2).mean()
        loss.backward()
        print(f"step {step} loss {loss.item():.4f} allocated {gibibytes():.2f} GiB")
        optimizer.step()
        optimizer.zero_grad()
elif options.kind == "fragmentation":
    total = torch.cuda.get_device_properties(0).total_memory * options.limit
    block = 3 * 2**20
    print("loading variable-length features")
    pieces = [torch.empty(block, dtype=torch.uint8, device=device) for _ in range(int(0.9 * total / 4 / 2**20) // 2 * 2)]
    pieces = pieces[::2]
    print(f"kept {len(pieces)} pieces: allocated {gibibytes():.2f} GiB, reserved {torch.cuda.memory_reserved() / 2**30:.2f} GiB")
    for step in range(20):
        print(f"step {step} loss {2.0 / (step + 1):.4f}")
        torch.empty(int(0.35 * total), dtype=torch.uint8, device=device)
elif options.kind == "other-process":
    hog = "import torch, sys; f, t = torch.cuda.mem_get_info(); x = torch.empty(int(f * 0.97), dtype=torch.uint8, device='cuda'); print('ready', flush=True); sys.stdin.read()"
    other = subprocess.Popen([sys.executable, "-c", hog], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    other.stdout.readline()
    try:
        options.limit = 1.0
        train(batch=128, context=512, width=1024, layers=8)
    finally:
        other.kill()
elif options.kind == "healthy":
    train(batch=16, context=128)
else:
    raise SystemExit(f"unknown kind {options.kind}")
