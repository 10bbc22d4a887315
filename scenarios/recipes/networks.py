"""A model for a problem and an architecture, with the rate that each optimizer takes there."""

import torch
from kit import models
from torch import nn

by_shape = {
    "rows": ["mlp", "deep", "residual", "normalised"],
    "pictures": ["cnn", "vit", "flat"],
    "tokens": ["encoder", "lstm", "gru", "bag"],
    "language": ["decoder", "lstm", "gru", "ssm"],
}

rates = {
    "adam": 3e-3,
    "adamw": 3e-3,
    "sgd": 0.1,
    "momentum": 0.03,
    "nesterov": 0.03,
    "rmsprop": 1e-3,
    "adagrad": 3e-2,
    "lion": 5e-4,
    "adafactor": 1e-2,
}


class Residual(nn.Module):
    def __init__(self, columns, outputs, width, dropout=0.0):
        super().__init__()
        self.enter = nn.Linear(columns, width)
        self.blocks = nn.ModuleList(
            nn.Sequential(nn.LayerNorm(width), nn.Linear(width, width), nn.GELU(), nn.Dropout(dropout)) for _ in range(3)
        )
        self.head = nn.Linear(width, outputs)

    def forward(self, rows):
        hidden = self.enter(rows)
        for block in self.blocks:
            hidden = hidden + block(hidden)
        return self.head(hidden)


class Summary(nn.Module):
    """A recurrent network, or a bag of words, that answers once for the whole text."""

    def __init__(self, cell, vocab, classes, width):
        super().__init__()
        self.tokens = nn.Embedding(vocab, width)
        self.recurrent = {"lstm": nn.LSTM, "gru": nn.GRU}[cell](width, width, batch_first=True) if cell != "bag" else None
        self.head = nn.Linear(width, classes)

    def forward(self, ids):
        states = self.tokens(ids)
        return self.head(states.mean(1) if self.recurrent is None else self.recurrent(states)[0].mean(1))


def normalised(columns, outputs, width, dropout):
    return nn.Sequential(
        nn.Linear(columns, width), nn.BatchNorm1d(width), nn.ReLU(), nn.Dropout(dropout),
        nn.Linear(width, width), nn.BatchNorm1d(width), nn.ReLU(), nn.Linear(width, outputs),
    )  # fmt: skip


def build(problem, architecture, width=48, dropout=0.0):
    columns, outputs = problem.inputs, problem.outcomes
    if problem.kind == "language":
        return models.language_model(
            architecture, columns, width=width, **({"layers": 1} if architecture == "decoder" else {})
        )
    if architecture == "encoder":
        return models.Encoder(columns, outputs, width, layers=1)
    if architecture in ("lstm", "gru", "bag"):
        return Summary(architecture, columns, outputs, width)
    if architecture == "cnn":
        return models.cnn(outputs, width=8)
    if architecture == "vit":
        return models.VisionTransformer(outputs, size=columns, width=32, layers=1)
    if architecture == "flat":
        return nn.Sequential(nn.Flatten(), models.mlp(columns * columns, outputs, width))
    if architecture == "residual":
        return Residual(columns, outputs, width, dropout)
    if architecture == "normalised":
        return normalised(columns, outputs, width, dropout)
    return models.mlp(
        columns,
        outputs,
        width,
        layers=4 if architecture == "deep" else 2,
        activation=nn.ReLU if architecture == "mlp" else nn.Tanh,
    )


def layers_of(model):
    return [module for module in model.modules() if isinstance(module, (nn.Linear, nn.Conv2d, nn.Embedding))]


def head_of(model):
    return [module for module in model.modules() if isinstance(module, nn.Linear)][-1]


def optimizer_of(name, parameters, rate, decay=0.0, momentum=0.9):
    from kit import optimizers

    makers = {
        "adam": lambda: torch.optim.Adam(parameters, rate, weight_decay=decay),
        "adamw": lambda: torch.optim.AdamW(parameters, rate, weight_decay=decay or 0.01),
        "sgd": lambda: torch.optim.SGD(parameters, rate, weight_decay=decay),
        "momentum": lambda: torch.optim.SGD(parameters, rate, momentum=momentum, weight_decay=decay),
        "nesterov": lambda: torch.optim.SGD(parameters, rate, momentum=momentum, nesterov=True, weight_decay=decay),
        "rmsprop": lambda: torch.optim.RMSprop(parameters, rate, weight_decay=decay),
        "adagrad": lambda: torch.optim.Adagrad(parameters, rate, weight_decay=decay),
        "lion": lambda: optimizers.Lion(parameters, rate, weight_decay=decay),
        "adafactor": lambda: torch.optim.Adafactor(parameters, rate, weight_decay=decay),
    }
    return makers[name]()
