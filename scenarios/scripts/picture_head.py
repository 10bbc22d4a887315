"""Classifiers of pictures whose last layer was sized for another resolution, or for a full batch."""

import torch
from torch import nn

from kit import data, logs, optimizers, options

o = options.read(size=20, part="flatten", steps=120)


class Convolutions(nn.Module):
    def __init__(self, classes=10, width=16):
        super().__init__()
        self.features = nn.Sequential(nn.Conv2d(1, width, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(width, width, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2))
        self.head = nn.Linear(width * 4 * 4, classes)

    def forward(self, pictures):
        hidden = self.features(pictures)
        if o.part == "view":
            return self.head(hidden.view(o.batch, -1))
        return self.head(hidden.flatten(1))


class Patches(nn.Module):
    def __init__(self, classes=10, width=48):
        super().__init__()
        self.embed = nn.Linear(16, width)
        self.block = nn.TransformerEncoderLayer(width, 4, 96, 0.0, batch_first=True)
        self.norm, self.head = nn.LayerNorm(width), nn.Linear(width // 2, classes)

    def forward(self, pictures):
        patches = pictures.unfold(2, 4, 4).unfold(3, 4, 4).flatten(4).flatten(1, 3)
        return self.head(self.norm(self.block(self.embed(patches)).mean(1)))


def loop():
    pictures, labels = data.images(1000, 10, o.seed, size=o.size)
    model = Patches() if o.architecture == "vit" else Convolutions()
    optimizer = optimizers.make(o.optimizer, model.parameters(), o.lr)
    log = logs.open_log(o.format, options.config(o, image_size=o.size))
    rows = torch.utils.data.TensorDataset(pictures, labels)
    for step, (inputs, targets) in enumerate(torch.utils.data.DataLoader(rows, o.batch)):
        loss = nn.functional.cross_entropy(model(inputs), targets)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % o.every == 0:
            log.train(step, loss=loss.item(), lr=o.lr)
    log.close()


def keras():
    import keras as k

    from kit import keras_runs

    pictures, labels = data.images(400, 10, o.seed, size=o.size)
    model = k.Sequential([k.Input((16 * 16,)), k.layers.Dense(32, activation="relu"), k.layers.Dense(10, activation="softmax")])
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    keras_runs.fit(model, pictures.flatten(1).numpy(), labels.numpy(), o.format, 5)


{"pytorch": loop, "keras": keras}[o.framework]()
