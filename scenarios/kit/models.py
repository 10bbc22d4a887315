"""Small models of every architecture that the scenarios cover. All take a batch of inputs and give logits."""

import torch
from torch import nn


class Decoder(nn.Module):
    """A causal transformer language model with a learned position table."""

    def __init__(self, vocab, width=64, heads=4, layers=2, context=64):
        super().__init__()
        self.context = context
        self.tokens = nn.Embedding(vocab, width)
        self.positions = nn.Embedding(context, width)
        block = nn.TransformerEncoderLayer(width, heads, 4 * width, 0.0, batch_first=True, norm_first=True)
        self.blocks = nn.TransformerEncoder(block, layers, enable_nested_tensor=False)
        self.head = nn.Linear(width, vocab)

    def forward(self, ids):
        length = ids.shape[1]
        mask = nn.Transformer.generate_square_subsequent_mask(length, device=ids.device)
        hidden = self.tokens(ids) + self.positions(torch.arange(length, device=ids.device))
        return self.head(self.blocks(hidden, mask=mask, is_causal=True))


class Encoder(nn.Module):
    """A transformer that classifies a sequence of tokens by the mean of its states."""

    def __init__(self, vocab, classes, width=64, heads=4, layers=2, context=64):
        super().__init__()
        self.tokens = nn.Embedding(vocab, width)
        self.positions = nn.Embedding(context, width)
        block = nn.TransformerEncoderLayer(width, heads, 4 * width, 0.0, batch_first=True, norm_first=True)
        self.blocks = nn.TransformerEncoder(block, layers, enable_nested_tensor=False)
        self.head = nn.Linear(width, classes)

    def forward(self, ids):
        hidden = self.tokens(ids) + self.positions(torch.arange(ids.shape[1], device=ids.device))
        return self.head(self.blocks(hidden).mean(1))


class EncoderDecoder(nn.Module):
    """A sequence-to-sequence transformer; `forward` takes source and target tokens."""

    def __init__(self, vocab, width=64, heads=4, layers=2):
        super().__init__()
        self.tokens = nn.Embedding(vocab, width)
        self.transformer = nn.Transformer(width, heads, layers, layers, 4 * width, 0.0, batch_first=True)
        self.head = nn.Linear(width, vocab)

    def forward(self, source, target):
        mask = nn.Transformer.generate_square_subsequent_mask(target.shape[1], device=target.device)
        return self.head(self.transformer(self.tokens(source), self.tokens(target), tgt_mask=mask))


class Recurrent(nn.Module):
    """An LSTM or GRU language model."""

    def __init__(self, cell, vocab, width=64, layers=1):
        super().__init__()
        self.tokens = nn.Embedding(vocab, width)
        self.recurrent = {"lstm": nn.LSTM, "gru": nn.GRU}[cell](width, width, layers, batch_first=True)
        self.head = nn.Linear(width, vocab)

    def forward(self, ids):
        return self.head(self.recurrent(self.tokens(ids))[0])


class StateSpace(nn.Module):
    """A diagonal linear state-space language model: each channel decays at a learned rate."""

    def __init__(self, vocab, width=64):
        super().__init__()
        self.tokens = nn.Embedding(vocab, width)
        self.decay = nn.Parameter(torch.linspace(0.5, 4.0, width))
        self.enter, self.gate, self.head = nn.Linear(width, width), nn.Linear(width, width), nn.Linear(width, vocab)

    def forward(self, ids):
        inputs = self.tokens(ids)
        driven, keep = self.enter(inputs), torch.sigmoid(self.decay)
        state, states = torch.zeros_like(driven[:, 0]), []
        for position in range(ids.shape[1]):
            state = keep * state + (1 - keep) * driven[:, position]
            states.append(state)
        return self.head(torch.stack(states, 1) * torch.nn.functional.silu(self.gate(inputs)))


class VisionTransformer(nn.Module):
    def __init__(self, classes, size=16, patch=4, width=64, heads=4, layers=2):
        super().__init__()
        self.patches = nn.Conv2d(1, width, patch, patch)
        self.positions = nn.Parameter(0.02 * torch.randn((size // patch) ** 2, width))
        block = nn.TransformerEncoderLayer(width, heads, 4 * width, 0.0, batch_first=True, norm_first=True)
        self.blocks = nn.TransformerEncoder(block, layers, enable_nested_tensor=False)
        self.head = nn.Linear(width, classes)

    def forward(self, pictures):
        hidden = self.patches(pictures).flatten(2).transpose(1, 2) + self.positions
        return self.head(self.blocks(hidden).mean(1))


def cnn(classes, width=16):
    return nn.Sequential(
        nn.Conv2d(1, width, 3, padding=1), nn.BatchNorm2d(width), nn.ReLU(), nn.MaxPool2d(2),
        nn.Conv2d(width, 2 * width, 3, padding=1), nn.BatchNorm2d(2 * width), nn.ReLU(),
        nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(2 * width, classes),
    )  # fmt: skip


def mlp(features, outputs, width=64, layers=2, activation=nn.ReLU):
    sizes = [features] + [width] * layers
    hidden = [part for a, b in zip(sizes, sizes[1:]) for part in (nn.Linear(a, b), activation())]
    return nn.Sequential(*hidden, nn.Linear(width, outputs))


def language_model(architecture, vocab, **options):
    """decoder, lstm, gru or ssm."""
    if architecture == "decoder":
        return Decoder(vocab, **options)
    if architecture == "ssm":
        return StateSpace(vocab, **options)
    return Recurrent(architecture, vocab, **options)


def classifier(architecture, classes, features=16):
    """cnn or vit for images, mlp for rows of a table."""
    if architecture == "cnn":
        return cnn(classes)
    if architecture == "vit":
        return VisionTransformer(classes)
    return mlp(features, classes)
