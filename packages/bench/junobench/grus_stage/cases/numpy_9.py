"""Weights in files, each a single number."""

import os

import numpy as np


def before(namespace):
    os.makedirs("data/adjusted_survival_2019")
    for number in range(3):
        np.save("data/adjusted_survival_2019/weight_%d.npy" % number, np.array(0.5 + number))
