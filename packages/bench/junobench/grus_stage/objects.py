"""Objects as the records describe them: columns, types, shapes, ranges and distinct values are kept, the rest is drawn."""

import importlib

import numpy as np


class Unsaid(Exception):
    """The record says too little to make the object."""


def made_of(fact, seed=0, named=(), usual=100):
    """The object that the fact describes. Raises Unsaid. `named` are texts of the target cell: the record does not say in
    which column a value is missing, so a column is taken that the cell does not name. `usual` is the length where the
    record has none."""
    kind = fact.get("type", "").replace("<class '", "").replace("'>", "")
    draw = np.random.default_rng(seed)
    if "value" in fact:
        return fact["value"]
    if kind == "numpy.ndarray":
        return array(fact, draw)
    if kind == "torch.Tensor":
        return importlib.import_module("torch").as_tensor(array(dict(fact, dtype=_numpy_name(fact)), draw))
    if kind == "pandas.core.frame.DataFrame":
        return frame(fact, draw, named)
    if kind == "pandas.core.series.Series":
        pandas = importlib.import_module("pandas")
        return pandas.Series(column(fact.get("value_info", {}), rows_of(fact, usual), draw, fact))
    if kind in ("list", "tuple"):
        return sequence(fact, draw, tuple if kind == "tuple" else list)
    if kind == "dict":
        return mapping(fact)
    if "is_fitted" in fact:
        return estimator(fact, draw)
    raise Unsaid(kind)


def is_told(fact):
    """Whether the record says enough to make the object, so that the cells that made it need not be run again."""
    if "unique_values" not in fact.get("value_info", {}) and fact.get("type", "").strip("<>").endswith("'list'"):
        return False
    try:
        made_of(fact)
    except Exception:
        return False
    return True


def rows_of(fact, usual=100):
    shape = fact.get("shape") or (fact.get("length", usual),)
    return int(shape[0])


def usual_length(facts):
    """The length that most of the recorded tables and arrays have."""
    lengths = [int(fact["shape"][0]) for fact in facts.values() if fact.get("shape")]
    return max(lengths, key=lambda length: (lengths.count(length), length), default=100)


def frame(fact, draw, named):
    pandas = importlib.import_module("pandas")
    rows = rows_of(fact)
    if "per_column" in fact:
        columns = {name: column(said, rows, draw, said) for name, said in fact["per_column"].items()}
        made = pandas.DataFrame(columns)
    else:
        kinds = fact.get("dtypes") or ["float64"]
        made = pandas.DataFrame(
            {index: _typed(kinds[index % len(kinds)], rows, draw) for index in range(fact["shape"][1])}
        )
    if fact.get("has_nan") and not made.isna().any().any():
        _spoil(made, draw, named)
    return made


def _spoil(made, draw, named):
    """Where it costs no type, if there is such a column."""
    fit = [name for kind in "fO" for name in made.columns if made[name].dtype.kind == kind]
    for name in sorted(fit, key=lambda name: name in named)[:1]:
        made.loc[draw.integers(0, len(made), 3), name] = np.nan


def column(said, rows, draw, fact):
    """Values of one column, or of a series."""
    kind = said.get("type") or said.get("value_type") or ""
    distinct = said.get("unique_values")
    if distinct:
        mixed = any(isinstance(one, str) for one in distinct)
        return _as_kind(np.resize(np.array(distinct, dtype=object if mixed else None), rows), said)
    if "value_range" in said and all(isinstance(end, (int, float)) for end in said["value_range"]):
        return _between(said["value_range"], rows, draw, fact.get("dtype"))
    if kind.startswith("datetime") or "value_range" in said:
        pandas = importlib.import_module("pandas")
        first = said["value_range"][0] if "value_range" in said else "2015-01-01"
        return pandas.date_range(first, periods=rows, freq="D")
    count = int(said.get("num_unique") or 5)
    if kind.startswith("categorical numeric"):
        return np.resize(np.arange(1, count + 1), rows)
    values = said.get("example_values") or ["value %d" % number for number in range(count)]
    return _as_kind(np.resize(np.array(values, dtype=object), rows), said)


def _as_kind(values, said):
    if said.get("dtype") == "category":
        return importlib.import_module("pandas").Categorical(values)
    return values


def _between(ends, rows, draw, dtype=None):
    low, high = ends
    whole = isinstance(low, int) and isinstance(high, int) and not str(dtype or "").startswith("float")
    values = draw.integers(low, high + 1, rows) if whole else draw.uniform(low, high, rows)
    if rows > 1:
        values[0], values[-1] = low, high
    return values


def array(fact, draw):
    shape = tuple(int(size) for size in fact["shape"])
    dtype = np.dtype(fact.get("dtype", "float64"))
    size = int(np.prod(shape)) if shape else 1
    info = fact.get("value_info", {})
    if "unique_values" in info:
        values = np.resize(np.array(info["unique_values"]), size)
    elif size and "value_range" in fact:
        values = _between(fact["value_range"], size, draw, dtype)
    elif dtype.kind in "OUS":
        values = np.array(["text %d" % number for number in range(size)], dtype=object)
    elif dtype.kind == "b":
        values = draw.integers(0, 2, size)
    else:
        values = draw.uniform(0, 1, size)
    made = np.asarray(values).reshape(shape).astype(dtype)
    if fact.get("has_nan") and dtype.kind == "f" and size:
        made.flat[0] = np.nan
    return made


def _typed(kind, rows, draw):
    if kind == "bool":
        return draw.integers(0, 2, rows).astype(bool)
    if kind.startswith(("int", "uint")):
        return draw.integers(0, 2, rows)
    if kind in ("object", "string", "category"):
        return np.resize(np.array(["one", "two", "three"], dtype=object), rows)
    return draw.uniform(0, 1, rows)


def _numpy_name(fact):
    return str(fact.get("dtype", "float32")).replace("torch.", "").replace("long", "int64")


def sequence(fact, draw, kind):
    info = fact.get("value_info", {})
    length = fact["length"]
    if any(isinstance(one, str) and one.startswith("<") for one in info.get("unique_values", ())):
        raise Unsaid("list of objects")
    if "unique_values" in info:
        return kind(np.resize(np.array(info["unique_values"], dtype=object), length).tolist())
    if "value_range" in info:
        return kind(_between(info["value_range"], length, draw).tolist())
    if info.get("value_type", "").startswith("categorical"):
        return kind("value %d" % (number % info.get("num_unique", length)) for number in range(length))
    raise Unsaid("list")


def mapping(fact):
    if "metrics" in fact:
        return {name: number for number, name in enumerate(fact["metrics"])}
    made = {}
    for entry in fact.get("preview", []):
        made[_told(entry["key"], entry["key_type"])] = _told(entry["value_repr"], entry["value_type"])
    if not made:
        raise Unsaid("dict")
    first, value = next(iter(made.items()))
    number = 0
    while len(made) < fact["length"]:
        number += 1
        made.setdefault(type(first)(number), value)
    return made


def _told(text, kind):
    if kind == "<class 'str'>":
        return text.strip("'\"")
    import ast

    try:
        return ast.literal_eval(str(text))
    except (ValueError, SyntaxError):
        raise Unsaid(kind) from None


def estimator(fact, draw):
    made = getattr(importlib.import_module(fact["module"]), fact["class_name"])()
    if fact["is_fitted"]:
        width = fact.get("fitted_attributes", {}).get("n_features_in_") or 3
        made.fit(draw.uniform(0, 1, (60, width)), draw.integers(0, 2, 60))
    return made
