"""Numbered pictures of two categories, and what is in which."""

import json
import os

import numpy as np
from PIL import Image


def before(namespace):
    draw = np.random.default_rng(0)
    os.makedirs("data/train/train")
    for number in range(32):
        pixels = draw.integers(0, 256, (32, 32, 3), dtype=np.uint8)
        Image.fromarray(pixels).save("data/train/train/image_id_%03d.jpg" % number)
    with open("data/train_annotations", "w") as file:
        json.dump([{"id": n, "image_id": n, "category_id": 1 + n % 2} for n in range(32)], file)
