"""Failures that only a GPU shows: device-side asserts and what follows them, half-precision overflow, illegal access."""

import argparse

import torch
from torch import nn

from kit import data, logs, models, optimizers

parser = argparse.ArgumentParser()
parser.add_argument("--kind", required=True)
parser.add_argument("--architecture", default="decoder")
parser.add_argument("--optimizer", default="adamw")
parser.add_argument("--format", default="plain")
parser.add_argument("--seed", type=int, default=0)
parser.add_argument("--at", type=int, default=40)
options = parser.parse_args()

torch.manual_seed(options.seed)
device = torch.device("cuda")
steps, vocab = 160, 256
config = {"architecture": options.architecture, "optimizer": options.optimizer, "learning_rate": 1e-3, "steps": steps}


def language_model(vocab_of_data=vocab, change=None, lr=1e-3):
    log = logs.open_log(options.format, {**config, "vocab_size": vocab, "precision": "fp32"})
    width = {"width": 64}
    model = models.language_model(options.architecture, vocab, **width).to(device)
    optimizer = optimizers.make(options.optimizer, model.parameters(), lr)
    stream = data.token_stream(20_000, vocab, options.seed)
    for step, (x, y) in enumerate(data.token_batches(stream, 16, 48, steps, options.seed)):
        if change and step == options.at:
            x, y = change(x, y)
        loss = nn.functional.cross_entropy(model(x.to(device)).flatten(0, 1), y.to(device).flatten())
        loss.backward()
        norm = nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad()
        if step % 2 == 0:
            log.train(step, loss=loss.item(), grad_norm=norm.item(), lr=lr)
    log.close()


def classifier(labels_of=None, classes=10):
    log = logs.open_log(options.format, {**config, "classes": classes})
    model = models.classifier(options.architecture, classes).to(device)
    optimizer = optimizers.make(options.optimizer, model.parameters(), 1e-3)
    pictures, labels = data.images(4000, classes, options.seed)
    if labels_of:
        labels = labels_of(labels)
    for step in range(steps):
        batch = torch.randint(0, len(labels), (32,))
        loss = nn.functional.cross_entropy(model(pictures[batch].to(device)), labels[batch].to(device))
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        if step % 2 == 0:
            log.train(step, loss=loss.item(), lr=1e-3)
    log.close()


def half_precision(lr, scale, scaler=None):
    """Trains in float16 with activations that grow until they leave its range."""
    log = logs.open_log(options.format, {**config, "precision": "fp16", "learning_rate": lr})
    model = models.mlp(64, 10, width=512, layers=4).to(device)
    optimizer = optimizers.make(options.optimizer, model.parameters(), lr)
    rows, labels = data.table(8000, 64, 10, options.seed)
    for step in range(steps):
        batch = torch.randint(0, len(labels), (64,))
        growth = scale ** max(0, step - options.at)
        with torch.autocast("cuda", dtype=torch.float16):
            logits = model(growth * rows[batch].to(device))
            loss = nn.functional.cross_entropy(logits, labels[batch].to(device))
        (scaler.scale(loss) if scaler else loss).backward()
        if scaler:
            scaler.unscale_(optimizer)
        norm = nn.utils.clip_grad_norm_(model.parameters(), 1e9)
        if scaler:
            scaler.step(optimizer)
            scaler.update()
        else:
            optimizer.step()
        optimizer.zero_grad()
        metrics = {"loss": loss.item(), "grad_norm": norm.item(), "lr": lr}
        if scaler:
            metrics["loss_scale"] = scaler.get_scale()
        log.train(step, **metrics)
    log.close()


def out_of_vocabulary(x, y):
    x = x.clone()
    x[3, 7] = vocab + 11
    return x, y


def bad_target(x, y):
    y = y.clone()
    y[2, 5] = vocab + 3
    return x, y


def negative_label(labels):
    labels = labels.clone()
    labels[1234] = -1
    return labels


def one_based(labels):
    return labels + 1


if options.kind == "oov":
    language_model(change=out_of_vocabulary)
elif options.kind == "bad-target":
    language_model(change=bad_target)
elif options.kind == "label-one-based":
    classifier(one_based)
elif options.kind == "label-negative":
    classifier(negative_label)
elif options.kind == "assert-then-cublas":
    # The failing gather is asynchronous: the next library call is blamed.
    table, index = torch.randn(10, 64, device=device), torch.tensor([3, 42], device=device)
    layer = nn.Linear(64, 64).to(device)
    print("step 0 loss 2.3026")
    rows = nn.functional.embedding(index, table)
    print("step 1 loss", layer(rows).sum().item())
elif options.kind == "assert-then-free":
    table = torch.randn(10, 64, device=device)
    for step in range(3):
        print(f"step {step} loss {2.3 - 0.1 * step:.4f}")
        target = torch.tensor([1, 2, 3 + 10 * step], device=device)
        loss = nn.functional.nll_loss(torch.log_softmax(table[:3], 1)[:, :10], target)
        torch.cuda.synchronize()
elif options.kind == "fp16-overflow":
    half_precision(1e-3, 1.35)
elif options.kind == "fp16-overflow-lr":
    half_precision(40.0, 1.0)
elif options.kind == "loss-scale-collapse":
    half_precision(1e-3, 1.35, torch.amp.GradScaler("cuda", init_scale=65536.0))
elif options.kind == "fp16-healthy":
    half_precision(1e-3, 1.0, torch.amp.GradScaler("cuda", init_scale=1024.0))
elif options.kind == "device-mismatch":
    model = models.mlp(16, 4).to(device)
    rows, labels = data.table(256, 16, 4, options.seed)
    print("epoch 1")
    nn.functional.cross_entropy(model(rows), labels)
elif options.kind == "device-mismatch-loss":
    model = models.mlp(16, 4).to(device)
    rows, labels = data.table(256, 16, 4, options.seed)
    weight = torch.ones(4)
    print("epoch 1")
    nn.functional.cross_entropy(model(rows.to(device)), labels.to(device), weight=weight)
elif options.kind == "illegal-access":
    import triton
    import triton.language as tl

    @triton.jit
    def scatter(pointer, offset, SIZE: tl.constexpr):
        index = tl.arange(0, SIZE)
        tl.store(pointer + index.to(tl.int64) * offset, index.to(tl.float32))

    print("step 0 | loss 2.31")
    buffer = torch.zeros(1024, device=device)
    scatter[(1,)](buffer, 2**34, SIZE=1024)
    print("step 1 | loss", buffer.sum().item())
elif options.kind == "bad-device":
    print("loading model")
    models.mlp(16, 4).to("cuda:7")
elif options.kind == "bf16-healthy":
    model = models.mlp(64, 10, width=256).to(device)
    optimizer = optimizers.make(options.optimizer, model.parameters(), 1e-3)
    rows, labels = data.table(8000, 64, 10, options.seed)
    log = logs.open_log(options.format, {**config, "precision": "bf16"})
    for step in range(steps):
        batch = torch.randint(0, len(labels), (64,))
        with torch.autocast("cuda", dtype=torch.bfloat16):
            loss = nn.functional.cross_entropy(model(rows[batch].to(device)), labels[batch].to(device))
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        log.train(step, loss=loss.item(), lr=1e-3, memory_gb=torch.cuda.memory_allocated() / 2**30)
    log.close()
    print("training finished")
else:
    raise SystemExit(f"unknown kind {options.kind}")
