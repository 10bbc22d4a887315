"""Dates, one of them missing."""

import numpy as np


def after(namespace):
    frame = namespace["game_df"]
    frame["released"] = np.resize(np.array(["2016-05-04", "2018-11-20"], dtype=object), len(frame))
    frame.loc[frame.index[1], "released"] = np.nan
