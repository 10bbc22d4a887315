"""Features as the large network gives them, and their classes."""

import types

import numpy as np

SECONDS = 60


def before(namespace):
    draw = np.random.default_rng(0)
    for part, rows in (("train", 12), ("test", 8)):
        namespace[part + "_features"] = draw.normal(size=(rows, 2048)).astype("float32")
        namespace[part + "_generator"] = types.SimpleNamespace(classes=np.resize([0, 1, 2, 3], rows))
