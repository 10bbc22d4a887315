# Frames and arrays that are too large to be carried to a twin: some of their rows, the same of all that have the same
# kind and length. What a cell meets there holds for the whole only when it does not depend on the rows left out.
import re
import sys

from ..protocol import reasons

ROWS = 20_000
ABOUT_FORM = frozenset("TypeError AttributeError NameError ImportError ModuleNotFoundError".split())
IN_WORDS = re.compile(r"has \d+ features")


def sampled(objects):
    """(the objects with large ones thinned out, the names of those)."""
    thinner, names = {}, []
    for name, value in objects.items():
        thinner[name] = _thin(value)
        if thinner[name] is not value:
            names.append(name)
    return thinner, names


def _thin(value):
    kind = type(value)
    root, length = kind.__module__.partition(".")[0], getattr(value, "shape", None)
    if not isinstance(length, tuple) or not length or length[0] <= ROWS:
        return value
    step = -(-length[0] // ROWS)
    if root == "numpy" and kind is sys.modules["numpy"].ndarray:
        return value[::step].copy()
    if root == "pandas" and kind.__name__ in ("DataFrame", "Series"):
        return value.iloc[::step].copy()
    if root == "polars" and kind.__name__ in ("DataFrame", "Series"):
        # The first rows: a slice is all that Polars does without its threads, which a forked child does not have.
        return value.slice(0, ROWS)
    return value


def doubt_about_error(error):
    """Why an exception on a sample may not come on the whole; None when it would."""
    message = str(error)
    if (type(error).__name__ in ABOUT_FORM and "NoneType" not in message) or IN_WORDS.search(message):
        return None
    return reasons.rows_missing()
