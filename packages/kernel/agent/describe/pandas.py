# pandas frames, series, indexes and group-bys, read off the block manager: no item cache, index engine or cached
# property is filled, so the user's memory and timings stay as they were.
import sys

from ..budget import COLUMNS, LABELS, OBJECT_SAMPLE, stride_positions
from ..literals import label
from ..lookup import MISSING, class_name, instance_dict, is_a
from ..registry import at_location, describes, resolves
from ..sampling import of_array, of_objects
from .numpy import dtype_name

VALUE_COLUMNS = 60
SMALL_INDEX = 4096


def manager_of(obj):
    held = instance_dict(obj)
    return held.get("_mgr") if held is not None else None


@describes("pandas:DataFrame")
def describe_frame(obj, fact, walk):
    fact.kind = "frame"
    manager = manager_of(obj)
    if manager is None:
        return
    columns, index = manager.axes
    rows, width = len(index), len(columns)
    fact.representation["shape"] = [rows, width]
    fact.representation["length"] = rows
    arrays = column_arrays(manager)
    labels = labels_of(columns, COLUMNS)
    fact.representation["columns"] = [
        {"label": name, "dtype": dtype_of(arrays[position]) if position in arrays else "?"}
        for position, name in enumerate(labels)
    ]
    fact.representation["columns_complete"] = len(labels) == width
    fact.representation["columns_levels"] = level_count(columns)
    tell_index(index, fact)
    if walk.is_shallow(fact):
        return
    wanted = wanted_columns(labels, walk.labels)
    fact.values["columns"] = [
        values_of(arrays[position], walk.budget) if position in arrays and position in wanted else {}
        for position in range(len(labels))
    ]


def wanted_columns(labels, asked):
    """Positions of the columns whose values are looked at: those the cell names first, then the leading ones."""
    named = [position for position, name in enumerate(labels) if type(name) is str and name in asked]
    rest = [position for position in range(len(labels)) if position not in set(named)]
    return set((named + rest)[:VALUE_COLUMNS])


def column_arrays(manager):
    """Position to the 1-d array behind a column."""
    arrays = {}
    for block in manager.blocks:
        values = block.values
        two_dimensional = getattr(values, "ndim", 1) == 2
        for row, position in enumerate(list(block.mgr_locs)):
            arrays[position] = values[row] if two_dimensional else values
    return arrays


@describes("pandas:Series")
def describe_series(obj, fact, walk):
    fact.kind = "series"
    manager = manager_of(obj)
    if manager is None:
        return
    values = manager.blocks[0].values
    fact.representation["dtype"] = dtype_of(values)
    fact.representation["shape"] = [len(values)]
    fact.representation["length"] = len(values)
    fact.representation["name"] = label((instance_dict(obj) or {}).get("_name"))
    tell_index(manager.axes[0], fact)
    if not walk.is_shallow(fact):
        fact.values.update(values_of(values, walk.budget))


@describes("pandas:Index")
def describe_index(obj, fact, walk):
    fact.kind = "index"
    fact.representation["length"] = length_of(obj)
    fact.representation["dtype"] = index_dtype(obj)
    tell_index(obj, fact)


def length_of(index):
    span = (instance_dict(index) or {}).get("_range")
    return len(span) if type(span) is range else len(index)


def tell_index(index, fact):
    """Names, dtype, range or labels of an index."""
    told = fact.representation
    held = instance_dict(index) or {}
    told["index_names"] = index_names(index, held)
    told["index_dtype"] = index_dtype(index)
    span = held.get("_range")
    if type(span) is range:
        told["index_range"] = {"start": span.start, "stop": span.stop, "step": span.step}
        told["index_unique"] = True
        return
    length = len(index)
    shown = labels_of(index, LABELS)
    told["index_labels"] = shown
    told["index_labels_complete"] = len(shown) == length
    if length <= SMALL_INDEX:
        every = labels_of(index, SMALL_INDEX)
        told["index_unique"] = len({repr(entry) for entry in every}) == length


def index_names(index, held):
    names = held.get("_names")
    if is_multi(index) and names is not None:
        return [label(name) for name in list(names)]
    return [label(held.get("_name"))]


def is_multi(index):
    multi = at_location("pandas:MultiIndex")
    return multi is not None and is_a(index, multi)


def level_count(index):
    return len((instance_dict(index) or {}).get("_levels") or ()) if is_multi(index) else 1


def index_dtype(index):
    if is_multi(index):
        return "multi"
    if type((instance_dict(index) or {}).get("_range")) is range:
        return "int64"
    return dtype_of(array_of(index))


def array_of(index):
    """The array behind a flat index, not a copy."""
    return (instance_dict(index) or {}).get("_data", MISSING)


def labels_of(index, limit):
    """The first labels of an index."""
    held = instance_dict(index) or {}
    span = held.get("_range")
    if type(span) is range:
        return list(span[:limit])
    if is_multi(index):
        return multi_labels(held, limit)
    return [label(value) for value in first_values(array_of(index), limit)]


def multi_labels(held, limit):
    levels, codes = held.get("_levels") or (), held.get("_codes") or ()
    if not codes:
        return []
    parts = []
    for level, code in zip(levels, codes):
        positions = [int(position) for position in code[:limit]]
        reachable = array_of(level)
        parts.append(
            [label(element(reachable, position)) if position >= 0 else {"special": "nan"} for position in positions]
            if reachable is not MISSING
            else [labels_of(level, position + 1)[-1] for position in positions]
        )
    return [list(entry) for entry in zip(*parts)]


def first_values(array, limit):
    if array is MISSING:
        return []
    return [element(array, position) for position in range(min(len(array), limit))]


def element(array, position):
    return array[position]


def dtype_of(array):
    if array is MISSING:
        return "?"
    dtype = array.dtype
    name = dtype_name(dtype)
    if name.startswith("pandas."):
        return extension_name(dtype, name)
    return name


def extension_name(dtype, name):
    """Extension dtypes by their own short name; of a categorical without listing its categories."""
    if name.endswith("CategoricalDtype"):
        return "category"
    return str(dtype)


def values_of(array, budget):
    """Value facts of one column."""
    numpy = sys.modules["numpy"]
    facts = {}
    if type(array) is numpy.ndarray:
        of_array(array, budget, facts)
        return facts
    name = class_name(type(array))
    held = instance_dict(array) or {}
    if name.endswith("Categorical"):
        return categorical_values(array, held, facts)
    if name.endswith(("DatetimeArray", "TimedeltaArray")):
        inner = held.get("_ndarray")
        if type(inner) is numpy.ndarray:
            of_array(inner, budget, facts)
        return facts
    if name.startswith("pandas."):
        masked = held.get("_mask")
        inner = held.get("_data")
        if type(masked) is numpy.ndarray and type(inner) is numpy.ndarray and len(inner) <= OBJECT_SAMPLE * 64:
            of_array(inner[~masked], budget, facts)
            facts["has_nan"] = bool(masked.any())
            return facts
        of_objects(lambda position: array[position], len(array), budget, facts)
    return facts


def categorical_values(array, held, facts):
    numpy = sys.modules["numpy"]
    dtype, codes = held.get("_dtype"), held.get("_ndarray", held.get("_codes"))
    categories = getattr(dtype, "_categories", None)
    if categories is None or type(codes) is not numpy.ndarray:
        return facts
    facts["categories"] = labels_of(categories, LABELS)
    facts["categories_complete"] = len(facts["categories"]) == len(categories)
    sample = codes if codes.size <= 1_000_000 else codes[:: codes.size // 1_000_000]
    exhaustive = sample is codes
    missing = bool((sample < 0).any())
    facts["exhaustive"] = exhaustive
    if exhaustive or missing:
        facts["has_nan"] = missing
    return facts


@describes("pandas.core.groupby:GroupBy", "pandas.core.groupby.groupby:BaseGroupBy")
def describe_groupby(obj, fact, walk):
    """The keys and the grouped object; the groups themselves are computed lazily and left alone."""
    fact.kind = "groupby"
    held = instance_dict(obj) or {}
    related = {role: held[role] for role in ("obj",) if held.get(role) is not None}
    fact.structural["related"] = {role: fact.child(value) for role, value in related.items()}
    for name in ("keys", "_selection", "as_index", "level"):
        if name in held:
            fact.structural.setdefault("parameters", {})[name] = fact.child(held[name])


@resolves("pandas.core.generic:NDFrame")
def frame_attribute(obj, name):
    """`frame.name` finds columns, `series.name` finds labels; nothing else is computed by pandas' own hook."""
    manager = manager_of(obj)
    if manager is None:
        return "unknown", MISSING
    axis = manager.axes[0]
    labels = labels_of(axis, COLUMNS)
    if len(labels) < len(axis):
        return "unknown", MISSING
    return ("present" if any(entry == name for entry in labels) else "absent"), MISSING
