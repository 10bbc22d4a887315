"""Classes with some missing: the record of the repaired version has the targets as they were before the repair."""

import numpy as np
import pandas as pd


def after(namespace):
    namespace["conf"] = type("conf", (), {"random": 7, "target": "quality"})
    rows = 240
    draw = np.random.default_rng(0)
    namespace["X"] = pd.DataFrame(draw.normal(size=(rows, 5)), columns=list("abcde"))
    target = pd.Series(np.resize([4.0, 7.0], rows), name="quality")
    target.iloc[:9] = np.nan
    namespace["y"] = target
