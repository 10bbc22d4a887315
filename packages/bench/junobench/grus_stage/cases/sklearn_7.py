"""Customers, some without a profession."""

import numpy as np

from ..files import table

KEEP = ("df",)


def before(namespace):
    rows = 2000
    draw = np.random.default_rng(0)
    numbers = {
        "CustomerID": np.arange(rows),
        "Age": draw.integers(0, 99, rows),
        "Annual Income ($)": draw.integers(0, 190_000, rows),
        "Spending Score (1-100)": draw.integers(0, 101, rows),
        "Work Experience": draw.integers(0, 18, rows),
        "Family Size": draw.integers(1, 10, rows),
    }
    texts = {"Gender": np.resize(["Male", "Female"], rows), "Profession": np.resize(["Artist", "Lawyer", None], rows)}
    table("data/Customers.csv", {**numbers, **texts})
