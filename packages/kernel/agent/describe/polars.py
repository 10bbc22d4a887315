# Polars frames and series. Everything asked is kept by Polars as metadata or is a zero-copy slice; a lazy frame is
# never collected and not even its schema is resolved.
from ..objects.budget import COLUMNS, OBJECT_SAMPLE, stride_positions
from ..objects.sampling import of_objects
from .registry import at_location, describes

VALUE_COLUMNS = 30


def is_exact(obj, location):
    return type(obj) is at_location(location)


@describes("polars:DataFrame")
def describe_frame(obj, fact, walk):
    fact.kind = "polars_frame"
    if not is_exact(obj, "polars:DataFrame"):
        return
    names, height = obj.columns, obj.height
    fact.representation["shape"] = [height, len(names)]
    fact.representation["length"] = height
    dtypes = [str(dtype) for dtype in obj.dtypes]
    fact.representation["columns"] = [
        {"label": name, "dtype": dtype} for name, dtype in list(zip(names, dtypes))[:COLUMNS]
    ]
    fact.representation["columns_complete"] = len(names) <= COLUMNS
    if walk.is_shallow(fact):
        return
    shown = min(len(names), COLUMNS)
    asked = {position for position, name in enumerate(names[:shown]) if name in walk.labels}
    looked = asked | set(range(min(shown, VALUE_COLUMNS)))
    fact.values["columns"] = [
        values_of(obj.to_series(position), walk.budget) if position in looked else {} for position in range(shown)
    ]


@describes("polars:Series")
def describe_series(obj, fact, walk):
    fact.kind = "polars_series"
    if not is_exact(obj, "polars:Series"):
        return
    fact.representation["dtype"] = str(obj.dtype)
    fact.representation["name"] = obj.name
    fact.representation["length"] = obj.len()
    fact.representation["shape"] = [obj.len()]
    if not walk.is_shallow(fact):
        fact.values.update(values_of(obj, walk.budget))


def values_of(series, budget):
    facts = {}
    length = series.len()
    if str(series.dtype).startswith(("List", "Struct", "Object", "Array")) or length == 0:
        return facts
    positions = stride_positions(length, OBJECT_SAMPLE)
    if length <= OBJECT_SAMPLE:
        sample = series.to_list()
    else:
        sample = [series.slice(position, 1).to_list()[0] for position in positions[:: max(1, len(positions) // 64)]]
    of_objects(lambda picked: [sample[at] for at in picked], len(sample), budget, facts)
    if length > len(sample):
        facts["exhaustive"] = False
        facts["examples_complete"] = False
        for exact in ("unique", "nan_count", "nan_position"):
            facts.pop(exact, None)
    missing = series.null_count()
    if missing:
        facts["has_nan"] = True
        facts["nan_count"] = missing
    return facts


@describes("polars:LazyFrame")
def describe_lazy(obj, fact, walk):
    fact.kind = "polars_lazy"
