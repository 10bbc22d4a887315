"""A year of prices, every day."""

import numpy as np
import pandas as pd

from ..files import table


def before(namespace):
    days = pd.date_range("2019-01-01", periods=366, freq="D")
    table("data/yahoo_stock.csv", {"Date": days, "Open": 100 + np.sin(np.arange(366)), "Close": np.arange(366) + 1.0})
