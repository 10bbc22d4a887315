"""Pictures, and a table of pairs of them."""

import glob
import os

import numpy as np

from ..files import images, table


def before(namespace):
    folder = "data_small/archive/images_labeled"
    images(folder, ["."], each=8, size=(160, 60))
    names = [os.path.basename(path) for path in sorted(glob.glob(folder + "/*.png"))]
    columns = {"Unnamed: 0": range(64), "image1": np.resize(names, 64), "image2": np.resize(names[::-1], 64)}
    table("data_small/pairs.csv", {**columns, "label": np.resize([0, 1], 64)})
