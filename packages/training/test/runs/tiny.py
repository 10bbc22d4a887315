# Small problems and models that train in a second: the stage on which runs succeed or fail.
import torch
from torch import nn


def blobs(n=512, classes=4, width=16, spread=1.0, seed=0):
    """Classification with clusters that a small network separates easily."""
    g = torch.Generator().manual_seed(seed)
    centres = 3 * torch.randn(classes, width, generator=g)
    y = torch.randint(0, classes, (n,), generator=g)
    return centres[y] + spread * torch.randn(n, width, generator=g), y


def line(n=512, width=8, scale=1.0, seed=0):
    """Linear regression with a little noise."""
    g = torch.Generator().manual_seed(seed)
    x = scale * torch.randn(n, width, generator=g)
    w = torch.randn(width, 1, generator=g)
    return x, x @ w + 0.1 * torch.randn(n, 1, generator=g)


def text(n=4000, vocab=32, seed=0):
    """A token stream with structure: each word is a fixed function of the one before, with some noise."""
    g = torch.Generator().manual_seed(seed)
    follow = torch.randperm(vocab, generator=g)
    tokens = [0]
    for _ in range(n - 1):
        surprise = torch.rand(1, generator=g).item() < 0.15
        tokens.append(int(torch.randint(0, vocab, (1,), generator=g)) if surprise else int(follow[tokens[-1]]))
    return torch.tensor(tokens)


def mlp(width=16, classes=4, hidden=32, activation=nn.ReLU, depth=1):
    layers = [nn.Linear(width, hidden), activation()]
    for _ in range(depth - 1):
        layers += [nn.Linear(hidden, hidden), activation()]
    return nn.Sequential(*layers, nn.Linear(hidden, classes))


class TinyTransformer(nn.Module):
    def __init__(self, vocab=32, width=32, heads=4, positions=64):
        super().__init__()
        self.token_embedding = nn.Embedding(vocab, width)
        self.position_embedding = nn.Embedding(positions, width)
        self.block = nn.TransformerEncoderLayer(width, heads, 64, batch_first=True, dropout=0.0)
        self.head = nn.Linear(width, vocab)

    def forward(self, tokens):
        length = tokens.shape[1]
        where = torch.arange(length)
        h = self.token_embedding(tokens)
        h = h + self.position_embedding(where)
        mask = nn.Transformer.generate_square_subsequent_mask(length)
        return self.head(self.block(h, src_mask=mask, is_causal=True))


def grad_norm(model):
    return torch.norm(torch.stack([p.grad.norm() for p in model.parameters() if p.grad is not None]))


def batches(n, size, seed=0):
    g = torch.Generator().manual_seed(seed)
    while True:
        order = torch.randperm(n, generator=g)
        for i in range(0, n - size + 1, size):
            yield order[i : i + size]
