# matplotlib figures and axes: how many axes there are and the grid they stand in. Nothing is drawn or laid out.
from ..objects.budget import ITEMS
from ..objects.lookup import instance_dict
from .registry import describes


@describes("matplotlib.figure:FigureBase")
def describe_figure(obj, fact, walk):
    fact.kind = "figure"
    axes = (instance_dict(obj) or {}).get("_localaxes")
    if type(axes) is list:
        fact.representation["length"] = len(axes)
        if not walk.is_shallow(fact):
            fact.structural["items"] = [fact.child(entry) for entry in axes[:ITEMS]]
            fact.structural["complete"] = len(axes) <= ITEMS


@describes("matplotlib.axes._base:_AxesBase")
def describe_axes(obj, fact, walk):
    fact.kind = "axes"
    held = instance_dict(obj) or {}
    grid = instance_dict((instance_dict(held.get("_subplotspec")) or {}).get("_gridspec")) or {}
    sizes = [grid.get("_nrows"), grid.get("_ncols")]
    if all(type(size) is int for size in sizes):
        fact.representation["grid"] = sizes
