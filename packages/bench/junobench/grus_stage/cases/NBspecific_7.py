"""The group that the cell asks for is among the regions whose names the record left out."""

import pandas as pd


def after(namespace):
    frame = namespace["df"]
    regions = frame["region"].astype(object)
    regions.iloc[::9] = "Asia Pacific"
    frame["region"] = pd.Categorical(regions)
