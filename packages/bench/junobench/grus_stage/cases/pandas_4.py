"""Faces as texts of 48 times 48 numbers; one of the seven emotions is missing, as recorded."""

import numpy as np


def after(namespace):
    frame = namespace["data"]
    frame["emotion"] = np.resize([0, 2, 3, 4, 5, 6], len(frame))
    frame["pixels"] = " ".join(str(number % 256) for number in range(48 * 48))
