"""Made-up data that small models can learn in seconds. Everything is drawn from a seeded generator."""

import torch


def generator(seed):
    return torch.Generator().manual_seed(seed)


def token_stream(length, vocab, seed, order=0.85):
    """A Markov chain over tokens: each token has one favourite successor, followed with probability `order`."""
    g = generator(seed)
    successor = torch.randperm(vocab, generator=g)
    tokens = torch.empty(length, dtype=torch.long)
    tokens[0] = 0
    follow = torch.rand(length, generator=g) < order
    noise = torch.randint(0, vocab, (length,), generator=g)
    for i in range(1, length):
        tokens[i] = successor[tokens[i - 1]] if follow[i] else noise[i]
    return tokens


def token_batches(stream, batch, context, steps, seed):
    """Random windows of the stream and the same windows moved on by one token."""
    g = generator(seed)
    for _ in range(steps):
        starts = torch.randint(0, len(stream) - context - 1, (batch,), generator=g)
        windows = torch.stack([stream[s : s + context + 1] for s in starts.tolist()])
        yield windows[:, :-1], windows[:, 1:]


def images(count, classes, seed, size=16, noise=0.6):
    """Grey images: one random pattern per class, plus noise."""
    g = generator(seed)
    patterns = torch.randn(classes, 1, size, size, generator=generator(1234))
    labels = torch.randint(0, classes, (count,), generator=g)
    return patterns[labels] + noise * torch.randn(count, 1, size, size, generator=g), labels


def table(count, features, classes, seed, noise=0.3):
    """Rows whose class is the largest of a few linear scores."""
    g = generator(seed)
    weights = torch.randn(features, classes, generator=generator(4321))
    rows = torch.randn(count, features, generator=g)
    return rows, (rows @ weights + noise * torch.randn(count, classes, generator=g)).argmax(1)


def regression(count, features, seed, noise=0.1):
    g = generator(seed)
    weights = torch.randn(features, 1, generator=generator(99))
    rows = torch.randn(count, features, generator=g)
    return rows, rows @ weights + noise * torch.randn(count, 1, generator=g)
