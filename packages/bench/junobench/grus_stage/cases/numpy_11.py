"""Pictures of apples, one of them without colours."""

import glob

from PIL import Image

from ..files import images


def before(namespace):
    folder = "data/apple_disease_classification/Train"
    images(folder, ["Blotch_Apple"])
    first = min(glob.glob(folder + "/*/*"))
    Image.open(first).convert("L").save(first)
