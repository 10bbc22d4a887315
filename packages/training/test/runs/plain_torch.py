# Plain PyTorch loops that succeed or really fail. Usage: plain_torch.py OUTPUT [CASE ...]; each case gets its own folder with what
# its loop wrote. Everything is seeded.
import os
import sys

import torch
from torch import nn
from torch.nn import functional as F

from logs import Log, in_own_process
from tiny import TinyTransformer, batches, blobs, grad_norm, line, mlp, text

torch.set_num_threads(1)


def classify(kind="console", lr=1e-3, steps=200, optimizer="adamw", data=None, model=None, evaluate=True, size=32, classes=4,
             clip=None, schedule=None, prepare=None, reduction="mean", every=5, extra=None, held=None, facts=None, evaluations=10):
    """The common loop: forward, backward, step; a row every few steps, validation every tenth of the run."""
    torch.manual_seed(0)
    x, y = data or blobs()
    if held is None:
        cut = len(x) * 3 // 4
        held, x, y = (x[cut:], y[cut:]), x[:cut], y[:cut]
    model = model or mlp(x.shape[1], classes)
    make = {"adamw": torch.optim.AdamW, "sgd": torch.optim.SGD}[optimizer]
    opt = make(model.parameters(), lr=lr)
    if prepare:
        opt = prepare(model, opt) or opt
    log = Log(kind, lr=lr, optimizer=optimizer, batch_size=size, num_classes=classes, max_steps=steps, **(extra or {}))
    for step, chosen in zip(range(1, steps + 1), batches(len(x), size)):
        if schedule:
            for group in opt.param_groups:
                group["lr"] = schedule(step)
        logits = model(x[chosen])
        loss = F.cross_entropy(logits, y[chosen], reduction=reduction)
        opt.zero_grad()
        loss.backward()
        norm = nn.utils.clip_grad_norm_(model.parameters(), clip) if clip else grad_norm(model)
        opt.step()
        if step % every == 0 or step == 1:
            log.row(step, loss=loss, grad_norm=norm, lr=opt.param_groups[0]["lr"],
                    accuracy=(logits.argmax(1) == y[chosen]).float().mean(), **(facts(model, x[chosen]) if facts else {}))
        if evaluate and step % max(1, steps // evaluations) == 0:
            model.eval()
            with torch.no_grad():
                out = model(held[0])
            log.row(step, val_loss=F.cross_entropy(out, held[1], reduction=reduction), val_accuracy=(out.argmax(1) == held[1]).float().mean())
            model.train()
    return model


def language(kind="console", lr=3e-3, steps=150, vocab=32, heads=4, positions=64, length=16, tokens=None, every=5):
    torch.manual_seed(0)
    stream = text() if tokens is None else tokens
    log = Log(kind, learning_rate=lr, optimizer="adamw", vocab_size=vocab, block_size=length, n_head=heads, max_steps=steps)
    model = TinyTransformer(vocab, 32, heads, positions)
    opt = torch.optim.AdamW(model.parameters(), lr=lr)
    g = torch.Generator().manual_seed(1)
    for step in range(1, steps + 1):
        at = torch.randint(0, len(stream) - length - 1, (16,), generator=g)
        batch = torch.stack([stream[i : i + length + 1] for i in at])
        logits = model(batch[:, :-1])
        loss = F.cross_entropy(logits.reshape(-1, vocab), batch[:, 1:].reshape(-1))
        opt.zero_grad()
        loss.backward()
        norm = nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        if step % every == 0 or step == 1:
            log.row(step, loss=loss, grad_norm=norm, lr=lr, perplexity=loss.exp())


def regress(kind="jsonl", lr=0.05, steps=120, optimizer="sgd", x=None, y=None, loss_fn=None, every=1, facts=False, settings=None):
    torch.manual_seed(0)
    if x is None:
        x, y = line()
    model = nn.Sequential(nn.Linear(x.shape[1], 32), nn.Tanh(), nn.Linear(32, 1))
    make = {"adamw": torch.optim.AdamW, "sgd": torch.optim.SGD}[optimizer]
    opt = make(model.parameters(), lr=lr)
    log = Log(kind, lr=lr, optimizer=optimizer, loss="mse", max_steps=steps, **(settings or {}))
    for step, chosen in zip(range(1, steps + 1), batches(len(x), 32)):
        out = model(x[chosen])
        loss = (loss_fn or F.mse_loss)(out, y[chosen])
        opt.zero_grad()
        loss.backward()
        norm = grad_norm(model)
        opt.step()
        if step % every == 0:
            more = {"input_nan_fraction": torch.isnan(x[chosen]).float().mean()} if facts else {}
            log.row(step, loss=loss, grad_norm=norm, lr=lr, **more)


# --- healthy runs and look-alikes -------------------------------------------------------------------------------------

def healthy_classifier():
    classify()


def healthy_noisy_small_batches():
    classify(kind="jsonl", size=2, lr=3e-3, steps=400, data=blobs(spread=2.5), every=1)


def healthy_summed_loss():
    classify(kind="csv", reduction="sum", lr=1e-3, steps=200)


def healthy_warm_up():
    classify(lr=3e-3, schedule=lambda s: 3e-3 * min(1, s / 60))


def healthy_warm_restarts():
    import math
    classify(kind="jsonl", steps=400, schedule=lambda s: 1e-4 + 2e-3 * (1 + math.cos(math.pi * (s % 100) / 100)))


def healthy_fine_tuning():
    x, y = blobs()
    torch.manual_seed(0)
    model = mlp()
    opt = torch.optim.Adam(model.parameters(), lr=1e-2)
    for _ in range(200):
        opt.zero_grad()
        F.cross_entropy(model(x), y).backward()
        opt.step()
    classify(lr=1e-5, model=model, data=(x, y), extra={"resume_from": "good.pt"})


def healthy_curriculum():
    """Harder samples arrive half way: the loss jumps, then falls again."""
    torch.manual_seed(0)
    easy, hard = blobs(spread=0.5), blobs(spread=3.0, seed=0)
    model = mlp()
    opt = torch.optim.AdamW(model.parameters(), lr=3e-3)
    log = Log("console", lr=3e-3, optimizer="adamw", num_classes=4, max_steps=300)
    for step, chosen in zip(range(1, 301), batches(512, 32)):
        x, y = easy if step <= 120 else hard
        loss = F.cross_entropy(model(x[chosen]), y[chosen])
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 3 == 0:
            log.row(step, loss=loss, grad_norm=grad_norm(model), lr=3e-3)


def healthy_language_model():
    language()


def healthy_regression():
    regress()


def healthy_momentum():
    x, y = blobs(spread=1.5)
    torch.manual_seed(0)
    classify(optimizer="sgd", lr=0.05, data=(x, y), kind="csv")


# --- optimisation -----------------------------------------------------------------------------------------------------

def rate_too_high_nan():
    regress(lr=8.0, steps=80)


def rate_too_high_adam():
    classify(lr=5.0, kind="jsonl", data=blobs(spread=4.0), model=mlp(16, 4, 32, nn.ReLU, depth=3))


def rate_too_low():
    classify(lr=1e-8, steps=300)


def log_of_zero():
    def loss_fn(out, target):
        p = torch.sigmoid(out)
        return -(torch.log(torch.relu(p - 0.45)) * 0.1).mean() + F.mse_loss(out, target)
    regress(kind="console", lr=0.02, loss_fn=loss_fn, facts=True)


def schedule_jump():
    classify(optimizer="sgd", lr=0.01, steps=300, data=blobs(spread=1.5), schedule=lambda s: 0.01 if s < 150 else 60.0, kind="jsonl")


def recurrent_explosion():
    """A recurrent product without clipping: the target drifts, the weights follow, and at last their powers run away."""
    torch.manual_seed(0)
    w = nn.Parameter(torch.eye(8) * 0.95 + 0.02 * torch.randn(8, 8))
    opt = torch.optim.SGD([w], lr=2e-3)
    log = Log("jsonl", lr=2e-3, optimizer="sgd", max_grad_norm=0, max_steps=300)
    g = torch.Generator().manual_seed(2)
    for step in range(1, 301):
        start = torch.rand(16, 8, generator=g)
        h = start
        for _ in range(16):
            h = h @ w
        loss = (h - (1 + step / 20) * start).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        norm = w.grad.norm()
        opt.step()
        log.row(step, loss=loss, grad_norm=norm, lr=2e-3)


def vanishing_sigmoids():
    classify(model=mlp(16, 4, 32, nn.Sigmoid, depth=20), lr=1e-3, optimizer="sgd", steps=300,
             facts=lambda model, x: {"input_std": x.std()})


def dead_rectifiers():
    """One enormous first step pushes every unit below zero."""
    def prepare(model, opt):
        with torch.no_grad():
            model[0].bias -= 1e4
    classify(prepare=prepare, kind="jsonl", steps=150, every=2,
             facts=lambda model, x: {"dead_fraction": (model[:2](x) == 0).float().mean()})


def overfit_small_set():
    x, y = blobs(n=400, classes=4, spread=6.0)
    classify(data=(x[:60], y[:60]), held=(x[60:], y[60:]), model=mlp(16, 4, 256), lr=3e-3, steps=400, size=16, evaluations=40)


def oscillation_of_momentum():
    """So much momentum that the weight swings through the minimum and back for ever."""
    w = torch.tensor([1.0], requires_grad=True)
    opt = torch.optim.SGD([w], lr=1e-3, momentum=0.9995)
    log = Log("console", lr=1e-3, momentum=0.9995, optimizer="sgd", loss="mse", max_steps=160)
    for step in range(1, 161):
        loss = 50 * w.pow(2).sum() + 1
        opt.zero_grad()
        loss.backward()
        opt.step()
        log.row(step, loss=loss, grad_norm=w.grad.norm(), lr=1e-3)


def weights_decay_away():
    """A good model under a weight decay that outweighs the gradient: it forgets what it knew."""
    x, y = blobs()
    torch.manual_seed(0)
    model = mlp()
    opt = torch.optim.Adam(model.parameters(), lr=1e-2)
    for _ in range(200):
        opt.zero_grad()
        F.cross_entropy(model(x), y).backward()
        opt.step()
    classify(data=(x, y), model=model, kind="csv", steps=120, every=1, evaluate=False,
             prepare=lambda m, o: torch.optim.AdamW(m.parameters(), lr=1e-3, weight_decay=60.0))


def zero_initialisation():
    """All weights zero: only the output bias can move."""
    def prepare(model, opt):
        for p in model.parameters():
            nn.init.zeros_(p)
    classify(prepare=prepare, optimizer="sgd", lr=0.01, steps=300, facts=lambda model, x: {"input_std": x.std()})


def stuck_without_telemetry():
    """The same, of which only the loss was written down."""
    torch.manual_seed(0)
    x, y = blobs()
    model = mlp()
    for p in model.parameters():
        nn.init.zeros_(p)
    opt = torch.optim.SGD(model.parameters(), lr=0.01)
    log = Log("console", lr=0.01, optimizer="sgd", num_classes=4, max_steps=300)
    for step, chosen in zip(range(1, 301), batches(len(x), 32)):
        loss = F.cross_entropy(model(x[chosen]), y[chosen])
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 3 == 0:
            log.row(step, loss=loss)


def evaluation_on_another_scale():
    """Validation skips the normalisation that training has."""
    x, y = blobs(n=800, spread=2.0)
    classify(data=(x[:600], y[:600]), held=(-12 * x[600:], y[600:]), lr=3e-3, steps=200)


def half_precision_overflow():
    """A regression in fp16: the squared error of one large but valid sample passes 65,504."""
    torch.manual_seed(0)
    x, y = line(n=256)
    x[200] *= 3000.0
    y[200] *= 3000.0
    x, y = x.half(), y.half()
    model = nn.Linear(8, 1).half()
    opt = torch.optim.SGD(model.parameters(), lr=0.002)
    log = Log("jsonl", lr=0.002, optimizer="sgd", fp16=True, loss="mse", max_steps=80)
    for step, chosen in zip(range(1, 81), batches(256, 4)):
        loss = (model(x[chosen]) - y[chosen]).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        log.row(step, loss=loss, grad_norm=grad_norm(model).float(), lr=0.002)


def loss_scale_collapse():
    """From step 20 on every gradient is infinite, so the scaler halves its scale for ever."""
    torch.manual_seed(0)
    x, y = line(n=256)
    model = nn.Linear(8, 1)
    opt = torch.optim.SGD(model.parameters(), lr=0.01)
    scaler = torch.amp.GradScaler("cpu", init_scale=65536.0)
    log = Log("console", lr=0.01, optimizer="sgd", fp16=True, loss="mse", max_steps=70)
    for step, chosen in zip(range(1, 71), batches(256, 32)):
        loss = (model(x[chosen]) - y[chosen]).pow(2).mean()
        if step >= 20:
            loss = loss + (model.weight - model.weight.detach()).pow(2).sum().sqrt()
        opt.zero_grad()
        scaler.scale(loss).backward()
        scaler.step(opt)
        scaler.update()
        log.row(step, loss=loss, loss_scale=scaler.get_scale(), lr=0.01)


# --- data -------------------------------------------------------------------------------------------------------------

def nan_in_batch():
    x, y = line()
    x[300:303, 2] = float("nan")
    regress(x=x, y=y, facts=True, steps=60)


def label_out_of_range():
    x, y = blobs()
    y = y.clone()
    y[200] = 7
    classify(data=(x, y))


def token_out_of_vocabulary():
    tokens = text().clone()
    tokens[2000] = 40
    language(tokens=tokens)


def shuffled_labels():
    x, y = blobs(n=400)
    g = torch.Generator().manual_seed(5)
    y = y[torch.randperm(len(y), generator=g)]
    classify(data=(x, y), model=mlp(16, 4, 256), lr=5e-3, steps=500, size=32)


def inputs_all_zero():
    x, y = blobs()
    classify(data=(torch.zeros_like(x), y), lr=1e-3, steps=300, facts=lambda model, x: {"input_std": x.std()})


def every_target_ignored():
    """A mask that never matches leaves no target in the loss."""
    torch.manual_seed(0)
    stream, model = text(), TinyTransformer()
    opt = torch.optim.AdamW(model.parameters(), lr=3e-3)
    log = Log("jsonl", learning_rate=3e-3, optimizer="adamw", vocab_size=32, max_steps=40)
    for step in range(1, 41):
        batch = stream[step * 17 : step * 17 + 17].unsqueeze(0)
        labels = torch.full_like(batch[:, 1:], -100)
        logits = model(batch[:, :-1])
        loss = F.cross_entropy(logits.reshape(-1, 32), labels.reshape(-1), reduction="sum")
        opt.zero_grad()
        loss.backward()
        log.row(step, loss=loss, grad_norm=grad_norm(model), ignored_target_fraction=(labels == -100).float().mean())
        opt.step()


def one_class_only():
    x, y = blobs()
    classify(data=(x, torch.zeros_like(y)), kind="jsonl", facts=lambda model, x: {"label_min": 0, "label_max": 0})


def foreign_validation_words():
    """Validation was made with another tokenizer: the same text under other numbers."""
    torch.manual_seed(0)
    stream, model, vocab = text(), TinyTransformer(), 32
    other = torch.randperm(vocab)[stream]
    opt = torch.optim.AdamW(model.parameters(), lr=3e-3)
    log = Log("console", learning_rate=3e-3, optimizer="adamw", vocab_size=vocab, max_steps=400)
    g = torch.Generator().manual_seed(1)
    for step in range(1, 401):
        at = torch.randint(0, len(stream) - 18, (16,), generator=g)
        batch = torch.stack([stream[i : i + 17] for i in at])
        loss = F.cross_entropy(model(batch[:, :-1]).reshape(-1, vocab), batch[:, 1:].reshape(-1))
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 10 == 0:
            log.row(step, loss=loss, lr=3e-3)
        if step % 40 == 0:
            with torch.no_grad():
                held = torch.stack([other[i : i + 17] for i in range(0, 320, 20)])
                val = F.cross_entropy(model(held[:, :-1]).reshape(-1, vocab), held[:, 1:].reshape(-1))
            log.row(step, val_loss=val, val_perplexity=val.exp())


def ragged_batch():
    from torch.utils.data import DataLoader
    g = torch.Generator().manual_seed(0)
    samples = [torch.randn(int(n), generator=g) for n in torch.randint(5, 9, (64,), generator=g)]
    for step, batch in enumerate(DataLoader(samples, batch_size=8)):
        print(step, batch.shape)


def empty_data_set():
    from torch.utils.data import DataLoader, TensorDataset
    x, y = blobs()
    keep = y == 99
    DataLoader(TensorDataset(x[keep], y[keep]), batch_size=8, shuffle=True)


def wrong_encoding():
    with open("names.csv", "wb") as f:
        f.write("name,label\nRenée,1\n".encode("latin-1"))
    with open("names.csv", encoding="utf-8") as f:
        rows = [row.split(",") for row in f]
    print(len(rows))


def missing_field():
    class Samples(torch.utils.data.Dataset):
        def __len__(self):
            return 8

        def __getitem__(self, i):
            row = {"text": torch.zeros(4), "labels": 1}
            return row["input_ids"], row["labels"]
    for batch in torch.utils.data.DataLoader(Samples(), batch_size=2):
        print(batch)


# --- model and software -----------------------------------------------------------------------------------------------

def shape_mismatch():
    classify(model=nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(64, 4)))


def dtype_mismatch():
    x, y = blobs()
    classify(data=(x.double(), y))


def heads_not_divisible():
    language(heads=5)


def position_table_too_short():
    language(positions=8, length=16)


def graph_used_twice():
    torch.manual_seed(0)
    cell, h = nn.RNNCell(4, 8), torch.zeros(2, 8)
    opt = torch.optim.SGD(cell.parameters(), lr=0.1)
    for step in range(10):
        h = cell(torch.randn(2, 4), h)
        loss = h.pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()


def changed_in_place():
    x = torch.randn(4, 4, requires_grad=True)
    h = x.sigmoid()
    h += 1
    h.sum().backward()


def frozen_model():
    def prepare(model, opt):
        for p in model.parameters():
            p.requires_grad_(False)
    classify(prepare=prepare)


def foreign_optimizer():
    """The optimizer was made for another model."""
    def prepare(model, opt):
        return torch.optim.AdamW(mlp().parameters(), lr=1e-3)
    x, y = blobs(n=128)
    classify(prepare=prepare, data=(x, y), held=(x, y), size=128, steps=200)


def wrong_checkpoint():
    torch.save(mlp(16, 4, 64).state_dict(), "other.pt")
    mlp(16, 4, 32).load_state_dict(torch.load("other.pt"))


def missing_import():
    import flash_attention_that_is_not_there  # noqa: F401


def misspelt_name():
    classify(schedule=lambda s: base_rate)  # noqa: F821


# --- resources --------------------------------------------------------------------------------------------------------

def host_allocation():
    torch.empty(1 << 50)


def disk_full():
    with open("/dev/full", "wb") as f:
        torch.save(mlp().state_dict(), f)
        f.flush()


def killed_without_a_word():
    classify(steps=60, evaluate=False)
    os.kill(os.getpid(), 9)


def ended_by_signal():
    classify(steps=60, evaluate=False)
    os.kill(os.getpid(), 15)


def worker_killed():
    class Deadly(torch.utils.data.Dataset):
        def __len__(self):
            return 64

        def __getitem__(self, i):
            if i == 20:
                os.kill(os.getpid(), 9)
            return torch.zeros(4)
    for batch in torch.utils.data.DataLoader(Deadly(), batch_size=4, num_workers=1):
        pass


cases = {name: value for name, value in globals().items()
         if callable(value) and getattr(value, "__module__", None) == "__main__" and name not in ("classify", "language", "regress")}

if __name__ == "__main__":
    output, wanted = sys.argv[1], sys.argv[2:] or list(cases)
    for name in wanted:
        in_own_process(name, cases[name], os.path.join(output, name))
