# pandas frames, series, indexes and group-bys, read off the block manager: no item cache, index engine or cached
# property is filled, so the user's memory and timings stay as they were.
from ..objects.budget import COLUMNS, LABELS
from ..objects.literals import label
from ..objects.lookup import MISSING, instance_dict, is_a
from ..protocol import reasons
from .pandas_arrays import NOT_READ, dtype_of, first_labels, gatherer, is_ndarray, values_of
from .registry import answers, at_location, describes, resolves

VALUE_COLUMNS = 30
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
    fact.representation["columns_complete"] = len(labels) == width and readable(labels)
    fact.representation["columns_levels"] = level_count(columns)
    tell_index(index, fact)
    if walk.is_shallow(fact):
        return
    told = {}
    for position in columns_in_order(labels, walk.labels):
        if position in arrays:
            if walk.budget.spent():
                walk.budget.note(reasons.columns_cut(len(told), len(labels)))
                break
            told[position] = values_of(arrays[position], walk.budget)
    fact.values["columns"] = [told.get(position, {}) for position in range(len(labels))]


def columns_in_order(labels, asked):
    """Positions of the columns whose values are looked at: those the cell names first, then the leading ones."""
    named = [position for position, name in enumerate(labels) if type(name) is str and name in asked]
    rest = [position for position in range(len(labels)) if position not in set(named)]
    return named + rest[:VALUE_COLUMNS]


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


def span_of(index):
    """The range behind a RangeIndex; None for every other index."""
    span = (instance_dict(index) or {}).get("_range")
    return span if type(span) is range else None


def length_of(index):
    span = span_of(index)
    return len(index if span is None else span)


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
    if not readable(shown):
        return
    told["index_labels"] = shown
    told["index_labels_complete"] = len(shown) == length
    if length <= SMALL_INDEX:
        every = shown if len(shown) == length else labels_of(index, SMALL_INDEX)
        told["index_unique"] = len({repr(entry) for entry in every}) == length


def readable(labels):
    return not any(entry is NOT_READ or (type(entry) is list and NOT_READ in entry) for entry in labels)


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
    if span_of(index) is not None:
        return "int64"
    return dtype_of(array_of(index))


def array_of(index):
    """The array behind a flat index, not a copy."""
    return (instance_dict(index) or {}).get("_data", MISSING)


def labels_of(index, limit):
    """The first labels of an index."""
    span = span_of(index)
    if span is not None:
        return list(span[:limit])
    if is_multi(index):
        return multi_labels(instance_dict(index) or {}, limit)
    return first_labels(array_of(index), limit)


def gatherer_of_range(span):
    return lambda positions: [span[at] for at in positions]


def multi_labels(held, limit):
    levels, codes = held.get("_levels") or (), held.get("_codes") or ()
    if not codes:
        return []
    parts = []
    for level, code in zip(levels, codes):
        span = span_of(level)
        gather = gatherer(array_of(level)) if span is None else gatherer_of_range(span)
        shown = code[:limit].tolist()
        parts.append([NOT_READ if gather is None else label(gather([at])[0] if at >= 0 else None) for at in shown])
    return [list(entry) for entry in zip(*parts)]


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
    if len(labels) < len(axis) or not readable(labels) or is_multi(axis):
        return "unknown", MISSING
    return ("present" if any(entry == name for entry in labels) else "absent"), MISSING


LABELS_CHECKED = 200_000


@answers("column", "pandas:DataFrame")
def column_values(obj, wanted, budget):
    """Value facts of one column, from a larger sample."""
    manager = manager_of(obj)
    if manager is None:
        return {"status": "unknown"}
    labels = labels_of(manager.axes[0], COLUMNS)
    found = [position for position, name in enumerate(labels) if type(name) is type(wanted) and name == wanted]
    if len(found) != 1:
        return {"status": "no" if not found and len(labels) == len(manager.axes[0]) else "unknown"}
    return {"status": "yes", "values": values_of(column_arrays(manager)[found[0]], budget)}


@answers("has_label", "pandas:DataFrame", "pandas:Series")
def object_has_label(obj, wanted, budget):
    manager = manager_of(obj)
    return {"status": "unknown"} if manager is None else index_has_label(manager.axes[-1], wanted, budget)


@answers("has_label", "pandas:Index")
def index_has_label(index, wanted, budget):
    """Exact membership of a plain string or integer label."""
    span = span_of(index)
    if span is not None and type(wanted) is int:
        return {"status": "yes" if wanted in span else "no"}
    array = array_of(index)
    if is_multi(index) or array is MISSING or type(wanted) not in (str, int):
        return {"status": "unknown", "reason": reasons.labels_not_plain()}
    if type(wanted) is int and is_ndarray(array) and array.dtype.kind in "iu" and array.size <= 5_000_000:
        return {"status": "yes" if bool((array == wanted).any()) else "no"}
    if type(wanted) is not str or len(array) > LABELS_CHECKED or not holds_text(array):
        return {"status": "unknown", "reason": reasons.labels_not_plain()}
    gather = gatherer(array)
    values = [] if gather is None else gather(range(len(array)))
    if gather is None or not all(type(type(value)) is type and type(value) in PLAIN_LABELS for value in values):
        return {"status": "unknown", "reason": reasons.labels_not_plain()}
    return {"status": "yes" if any(type(value) is str and value == wanted for value in values) else "no"}


PLAIN_LABELS = (str, int, float, bool, type(None))


def holds_text(array):
    return array.dtype.kind == "O" if is_ndarray(array) else dtype_of(array) in ("str", "string")
