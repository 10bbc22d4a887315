"""One learnable task per architecture: a model, batches, a loss, and an evaluation on rows it never trained on."""

import torch
from torch import nn

from . import data, models

recurrent_or_decoder = ("decoder", "lstm", "gru", "ssm")


def make(architecture, seed=0, **options):
    if architecture in recurrent_or_decoder:
        return Language(architecture, seed, **options)
    if architecture == "encoder-decoder":
        return Translation(seed, **options)
    if architecture == "encoder":
        return TextClasses(seed, **options)
    return Classes(architecture, seed, **options)


class Task:
    """`batch(size)` draws training rows, `loss(model, batch)` is differentiable, `evaluate(model)` gives loss and
    accuracy on the rows `held_out`."""

    held_out: tuple

    def __init__(self, seed):
        self.generator = data.generator(seed + 1)

    def draw(self, size, count):
        return torch.randint(0, count, (size,), generator=self.generator)

    def logits_and_targets(self, model, batch):
        inputs, targets = batch
        logits = model(inputs)
        return logits.flatten(0, -2), targets.flatten()

    def loss(self, model, batch):
        return nn.functional.cross_entropy(*self.logits_and_targets(model, batch))

    @torch.no_grad()
    def evaluate(self, model):
        model.eval()
        logits, targets = self.logits_and_targets(model, self.held_out)
        model.train()
        loss = nn.functional.cross_entropy(logits, targets).item()
        return loss, (logits.argmax(-1) == targets).float().mean().item()


class Language(Task):
    def __init__(self, architecture, seed, vocab=64, context=32, width=48, order=0.85, length=12_000, **options):
        super().__init__(seed)
        self.vocab, self.classes, self.context = vocab, vocab, context
        self.model = models.language_model(architecture, vocab, width=width, **options)
        self.stream = data.token_stream(length, vocab, seed, order)
        self.held_out = self.windows(torch.arange(length - 3000, length - context - 1, context * 2))

    def windows(self, starts):
        rows = torch.stack([self.stream[s : s + self.context + 1] for s in starts.tolist()])
        return rows[:, :-1], rows[:, 1:]

    def batch(self, size):
        return self.windows(self.draw(size, len(self.stream) - 3000 - self.context))


class Translation(Task):
    """Sequence to sequence: the target is the source with every token replaced by its partner."""

    def __init__(self, seed, vocab=32, context=12, width=48, layers=1, count=3000):
        super().__init__(seed)
        self.vocab, self.classes = vocab, vocab
        self.model = models.EncoderDecoder(vocab, width, 4, layers)
        stream = data.token_stream(count + context + 2, vocab, seed, order=0.8)
        source = stream.unfold(0, context + 1, 1)[:count]
        target = torch.randperm(vocab, generator=data.generator(seed))[source]
        self.rows = (source[:, :context], target[:, :context], target[:, 1:])
        self.held_out = tuple(part[-200:] for part in self.rows)

    def batch(self, size):
        index = self.draw(size, len(self.rows[0]) - 200)
        return tuple(part[index] for part in self.rows)

    def logits_and_targets(self, model, batch):
        source, shown, targets = batch
        return model(source, shown).flatten(0, 1), targets.flatten()


class TextClasses(Task):
    """Which group of tokens is the most frequent in the text?"""

    def __init__(self, seed, vocab=60, classes=6, context=24, width=48, count=3000, **options):
        super().__init__(seed)
        self.vocab, self.classes = vocab, classes
        self.model = models.Encoder(vocab, classes, width, context=context, **options)
        g = data.generator(seed)
        labels = torch.randint(0, classes, (count,), generator=g)
        tokens = torch.randint(0, vocab, (count, context), generator=g)
        marked = torch.rand(count, context, generator=g) < 0.4
        group = vocab // classes
        self.inputs = torch.where(marked, labels[:, None] * group + tokens % group, tokens)
        self.labels = labels
        self.held_out = (self.inputs[-500:], labels[-500:])

    def batch(self, size):
        index = self.draw(size, len(self.labels) - 500)
        return self.inputs[index], self.labels[index]


class Classes(Task):
    """Pictures for cnn and vit, rows of a table for mlp."""

    def __init__(self, architecture, seed, classes=10, count=3000, features=16, noise=0.6, model=None):
        super().__init__(seed)
        self.classes = classes
        self.model = model or models.classifier(architecture, classes, features)
        if architecture == "mlp":
            self.inputs, self.labels = data.table(count, features, classes, seed, noise)
        else:
            self.inputs, self.labels = data.images(count, classes, seed, noise=noise)
        self.held_out = (self.inputs[-500:], self.labels[-500:])

    def batch(self, size):
        index = self.draw(size, len(self.labels) - 500)
        return self.inputs[index], self.labels[index]
