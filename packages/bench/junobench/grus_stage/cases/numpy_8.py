"""Seventy-two features, two classes, a classifier for them, and the classes that the library keeps in a module."""

import numpy as np
from sklearn.linear_model import LogisticRegression


def before(namespace):
    from deap import base, creator, gp

    creator.create("FitnessMax", base.Fitness, weights=(1.0,))
    creator.create("Individual", gp.PrimitiveTree, fitness=creator.FitnessMax)
    draw = np.random.default_rng(0)
    for part, rows in (("train", 40), ("test", 20)):
        namespace["X_" + part] = draw.normal(size=(rows, 72))
        namespace["y_" + part] = np.resize([0, 1], rows)
    namespace["lr"] = LogisticRegression()
