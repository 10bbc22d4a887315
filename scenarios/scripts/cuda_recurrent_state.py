"""A recurrent language model trained on one long text, on a GPU: the state is carried from window to window, with or without its history."""

import argparse
import time

import torch
from torch import nn

from kit import data, logs, optimizers

parser = argparse.ArgumentParser()
parser.add_argument("--architecture", default="lstm", choices=("lstm", "gru"))
parser.add_argument("--optimizer", default="adam")
parser.add_argument("--format", default="jsonl")
parser.add_argument("--detach", type=int, default=0)
parser.add_argument("--limit", type=float, default=0.005)
parser.add_argument("--seed", type=int, default=0)
options = parser.parse_args()

torch.manual_seed(options.seed)
torch.cuda.set_per_process_memory_fraction(options.limit)
device = torch.device("cuda")
vocab, width, batch, window, steps, lr = 128, 128, 32, 16, 260, 2e-3


class Reader(nn.Module):
    def __init__(self):
        super().__init__()
        self.tokens = nn.Embedding(vocab, width)
        self.recurrent = {"lstm": nn.LSTM, "gru": nn.GRU}[options.architecture](width, width, batch_first=True)
        self.head = nn.Linear(width, vocab)

    def forward(self, ids, state):
        hidden, state = self.recurrent(self.tokens(ids), state)
        return self.head(hidden), state


def detached(state):
    return tuple(part.detach() for part in state) if isinstance(state, tuple) else state.detach()


model = Reader().to(device)
optimizer = optimizers.make(options.optimizer, model.parameters(), lr)
text = data.token_stream(batch * (window * steps + 1), vocab, options.seed).view(batch, -1).to(device)
log = logs.open_log(
    options.format,
    {"architecture": options.architecture, "optimizer": options.optimizer, "learning_rate": lr, "batch": batch, "window": window, "steps": steps},
)
state, losses = None, []
for step in range(steps):
    begun = time.time()
    x = text[:, step * window : (step + 1) * window]
    y = text[:, step * window + 1 : (step + 1) * window + 1]
    logits, state = model(x, state)
    loss = nn.functional.cross_entropy(logits.flatten(0, 1), y.flatten())
    losses.append(loss)
    if options.detach:
        loss.backward()
        state, losses = detached(state), []
    elif step % 20 == 19:
        # The epoch's gradient is taken over everything read so far.
        total = torch.stack(losses).mean()
        gradients = torch.autograd.grad(total, list(model.parameters()), retain_graph=True)
        for parameter, gradient in zip(model.parameters(), gradients):
            parameter.grad = gradient
    else:
        log.train(step, loss=loss.item(), lr=lr, memory_gb=torch.cuda.memory_allocated() / 2**30, step_time=time.time() - begun)
        continue
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    with torch.no_grad():
        if options.detach:
            optimizer.step()
        else:
            for parameter in model.parameters():
                parameter.data -= lr * parameter.grad
    optimizer.zero_grad()
    log.train(step, loss=loss.item(), lr=lr, memory_gb=torch.cuda.memory_allocated() / 2**30, step_time=time.time() - begun)
log.close()
print("done")
