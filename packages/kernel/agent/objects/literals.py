# Values that are plain enough to be carried literally. Exact types only: a subclass of str may have code of its own.
import math
import sys

from .budget import TEXT
from .lookup import MISSING, class_name

SAFE_INTEGER = 2**53
PLAIN = (type(None), bool, int, float, str)


def literal(value, limit=TEXT):
    """The JSON form of a plain value or MISSING, and whether it was cut."""
    kind = type(value)
    if type(kind) is not type:
        return MISSING, False
    if kind is str:
        text = value if len(value) <= limit else value[:limit]
        return text.encode("utf-8", "replace").decode("utf-8"), len(value) > limit
    if value is None or kind is bool:
        return value, False
    if kind is int:
        if -SAFE_INTEGER <= value <= SAFE_INTEGER:
            return value, False
        if value.bit_length() > 512:
            return {"special": "int of %d bits" % value.bit_length()}, True
        return {"special": str(value)}, False
    if kind is float:
        return (value if math.isfinite(value) else {"special": _float_name(value)}), False
    if kind is bytes:
        return {"special": "bytes %r" % value[: limit // 4]}, len(value) > limit // 4
    if kind is complex:
        return {"special": repr(value)}, False
    if value is Ellipsis:
        return {"special": "Ellipsis"}, False
    scalar = library_scalar(value)
    if scalar is not MISSING:
        return scalar, False
    return MISSING, False


def label(value, limit=TEXT):
    """A column label, index label or dict key; what is not plain is given by its class."""
    if type(value) is tuple and len(value) <= 8:
        return [label(part, limit) for part in value]
    plain, _ = literal(value, limit)
    return {"special": "<" + class_name(type(value)) + ">"} if plain is MISSING else plain


def python_scalar(value):
    """A NumPy number as the Python number it stands for; everything else unchanged."""
    numpy = sys.modules.get("numpy")
    kind = type(value)
    if numpy is None or type(kind) is not type or kind in PLAIN:
        return value
    return value.item() if kind in _numpy_scalars(numpy) else value


_scalars_of = {}


def _numpy_scalars(numpy):
    if id(numpy) not in _scalars_of:
        _scalars_of[id(numpy)] = _find_scalars(vars(numpy))
    return _scalars_of[id(numpy)]


def _find_scalars(held):
    names = ("bool", "bool_", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
             "float16", "float32", "float64", "longlong", "ulonglong", "str_")
    return {held[name] for name in names if type(held.get(name)) is type and held[name] not in PLAIN}


def library_scalar(value):
    """Timestamps, missing-value markers and NumPy scalars, by the exact classes of their libraries."""
    kind = type(value)
    numpy = sys.modules.get("numpy")
    if numpy is not None:
        plain = python_scalar(value)
        if plain is not value:
            return literal(plain)[0]
        if kind is vars(numpy).get("datetime64") or kind is vars(numpy).get("timedelta64"):
            return {"special": str(value)}
    pandas = sys.modules.get("pandas")
    if pandas is not None:
        held = vars(pandas)
        if value is held.get("NaT"):
            return {"special": "NaT"}
        if value is held.get("NA"):
            return {"special": "NA"}
        if kind in (held.get("Timestamp"), held.get("Timedelta"), held.get("Period")):
            return {"special": str(value)}
        if kind is held.get("Interval"):
            return {"special": str(value)}
    datetime = sys.modules.get("datetime")
    if datetime is not None and kind in (datetime.date, datetime.datetime, datetime.time, datetime.timedelta):
        return {"special": _datetime_text(value, datetime)}
    decimal = sys.modules.get("decimal")
    if decimal is not None and kind is vars(decimal).get("Decimal"):
        return {"special": str(value)}
    return MISSING


def _datetime_text(value, datetime):
    if type(value) is datetime.datetime and value.tzinfo is not None:
        return value.replace(tzinfo=None).isoformat() + "+tz"
    return str(value) if type(value) is datetime.timedelta else value.isoformat()


def _float_name(value):
    if math.isnan(value):
        return "nan"
    return "inf" if value > 0 else "-inf"
