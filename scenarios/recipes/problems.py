"""What the recipes learn: small made-up tasks with rows to train on, rows to validate on, and rows that only the judge sees.

`skill` is how far a model beats the best constant answer on unseen rows: 0 is a constant, 1 is perfect.
"""

import dataclasses
import math

import torch
from kit import data
from torch.nn import functional


@dataclasses.dataclass
class Problem:
    kind: str  # classes, language, regression
    train: tuple
    held_out: tuple
    unseen: tuple
    outcomes: int  # classes, words, or columns of the target
    inputs: int  # columns of a row, words of a vocabulary, or the side of a picture
    shape: str  # rows, pictures, tokens

    def loss(self, outputs, targets):
        if self.kind == "regression":
            return functional.mse_loss(outputs, targets)
        return functional.cross_entropy(outputs.flatten(0, -2).float(), targets.flatten())

    def score(self, outputs, targets):
        """Accuracy, or the share of the variance that is explained."""
        if self.kind == "regression":
            spread = (targets - targets.mean(0)).pow(2).mean()
            return (1 - (outputs - targets).pow(2).mean() / spread.clamp_min(1e-9)).item()
        return (outputs.argmax(-1) == targets).float().mean().item()

    def skill(self, outputs):
        targets = self.unseen[1]
        if not torch.isfinite(outputs).all():
            return -1.0
        if self.kind == "regression":
            return max(-1.0, self.score(outputs, targets))
        shares = torch.bincount(targets.flatten(), minlength=self.outcomes).float() / targets.numel()
        if self.kind == "language":
            entropy = -(shares * shares.clamp_min(1e-9).log()).sum().item()
            return max(-1.0, 1 - self.loss(outputs, targets).item() / entropy)
        most = shares.max().item()
        return (self.score(outputs, targets) - most) / (1 - most)


def parts(inputs, targets, train, held_out=400):
    first, second = train, train + held_out
    return (
        (inputs[:first], targets[:first]),
        (inputs[first:second], targets[first:second]),
        (inputs[second:], targets[second:]),
    )


def table(g, seed, train):
    """The class is the largest of a few scores of a hidden network, with some labels wrong."""
    classes, columns = pick(g, [2, 3, 4, 5, 8, 10]), pick(g, [8, 12, 20, 32])
    hidden = torch.randn(columns, 12, generator=g), torch.randn(12, classes, generator=g)
    rows = torch.randn(train + 1000, columns, generator=g)
    scores = (rows @ hidden[0] / math.sqrt(columns)).clamp_min(-0.3) @ hidden[1]
    labels = spoil(scores.argmax(1), classes, pick(g, [0.0, 0.03, 0.08, 0.15]), g)
    return Problem("classes", *parts(rows, labels, train), classes, columns, "rows")


def rare(g, seed, train):
    """Two classes, of which one is rare: a constant answer is right nine times in ten."""
    columns, share = pick(g, [8, 16]), pick(g, [0.05, 0.1, 0.2])
    rows = torch.randn(train + 1000, columns, generator=g)
    score = rows @ torch.randn(columns, generator=g) + 0.3 * torch.randn(train + 1000, generator=g)
    return Problem("classes", *parts(rows, (score > score.quantile(1 - share)).long(), train), 2, columns, "rows")


def pictures(g, seed, train):
    classes, size, noise = pick(g, [2, 4, 6, 10]), 12, pick(g, [0.6, 1.0, 1.5])
    patterns = torch.randn(classes, 1, size, size, generator=g)
    labels = torch.randint(0, classes, (train + 1000,), generator=g)
    seen = patterns[labels] + noise * torch.randn(train + 1000, 1, size, size, generator=g)
    return Problem(
        "classes", *parts(seen, spoil(labels, classes, pick(g, [0.0, 0.05]), g), train), classes, size, "pictures"
    )


def texts(g, seed, train):
    """Which group of words is the most frequent in the text?"""
    classes, vocab, length = pick(g, [2, 3, 5, 6]), 60, 16
    labels = torch.randint(0, classes, (train + 1000,), generator=g)
    words = torch.randint(0, vocab, (train + 1000, length), generator=g)
    marked = torch.rand(train + 1000, length, generator=g) < pick(g, [0.35, 0.6])
    group = vocab // classes
    return Problem(
        "classes",
        *parts(torch.where(marked, labels[:, None] * group + words % group, words), labels, train),
        classes,
        vocab,
        "tokens",
    )


def language(g, seed, train):
    vocab, length = pick(g, [24, 48, 96, 200]), 24
    stream = data.token_stream((train // 2 + 400) * length, vocab, seed, pick(g, [0.6, 0.8, 0.9]))
    windows = stream.unfold(0, length + 1, length)
    return Problem(
        "language",
        *parts(windows[:, :-1].contiguous(), windows[:, 1:].contiguous(), len(windows) - 300, 150),
        vocab,
        vocab,
        "tokens",
    )


def regression(g, seed, train):
    columns, scale, noise = pick(g, [6, 12, 20]), pick(g, [1.0, 1.0, 10.0, 100.0]), pick(g, [0.05, 0.2, 0.4])
    rows = torch.randn(train + 1000, columns, generator=g)
    clean = torch.tanh(rows @ torch.randn(columns, 8, generator=g) / math.sqrt(columns)) @ torch.randn(8, 1, generator=g)
    clean = (clean - clean.mean()) / clean.std()
    targets = scale * (clean + noise * torch.randn(train + 1000, 1, generator=g)) + pick(g, [0.0, 0.0, 2.0]) * scale
    return Problem("regression", *parts(rows, targets, train), 1, columns, "rows")


def restore(g, seed, train):
    """An autoencoder: rows that lie near a plane, through a narrow middle."""
    columns = pick(g, [16, 24])
    rows = torch.randn(train + 1000, 4, generator=g) @ torch.randn(4, columns, generator=g) / 2
    rows = rows + 0.1 * torch.randn(train + 1000, columns, generator=g)
    return Problem("regression", *parts(rows, rows.clone(), train), columns, columns, "rows")


makers = {
    "table": table,
    "rare": rare,
    "pictures": pictures,
    "texts": texts,
    "language": language,
    "regression": regression,
    "restore": restore,
}


def make(name, seed, train):
    return makers[name](data.generator(seed), seed, train)


def pick(g, choices):
    return choices[int(torch.randint(0, len(choices), (1,), generator=g))]


def spoil(labels, classes, share, g):
    """Some labels are wrong, as in most data sets."""
    other = torch.randint(0, classes, labels.shape, generator=g)
    return torch.where(torch.rand(labels.shape, generator=g) < share, other, labels)
