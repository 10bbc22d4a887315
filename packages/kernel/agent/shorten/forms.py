# The form of things, without the numbers that they hold: what it takes to see whether rounds of training change more than
# numbers. Walks what is reachable from names, a few steps deep.
import sys

from ..twin.needed_names import OF_IPYTHON
from .things import is_a, is_code, is_of_notebook, is_settings

OF_ARRAYS = ("numpy", "torch", "pandas", "tensorflow")

DEPTH = 5
MOST = 4_000


def names_of(frame):
    """What a piece of the notebook's code can see, its own names last."""
    seen = {**frame.f_globals, **frame.f_locals}
    return {name: value for name, value in seen.items() if not name.startswith("_") and name not in OF_IPYTHON}


def parts_of(value):
    """(step, part) of what an object is made of; of a list only its ends."""
    if isinstance(value, dict):
        return list(value.items())[:200]
    if isinstance(value, (list, tuple)) or is_a(value, "collections", "deque"):
        return [(0, value[0]), (-1, value[-1])] if len(value) else []
    if is_a(value, "torch.nn", "Module"):
        return [*value.named_parameters(), *value.named_buffers(), *_own(value)]
    return _own(value)


def _own(value):
    if not (is_of_notebook(value) or is_settings(value)) and not is_a(value, "keras.callbacks", "History"):
        return []
    return [(name, held) for name, held in getattr(value, "__dict__", {}).items() if not name.startswith("_")]


def walk(names):
    """(name, path, value) of everything reachable."""
    pending: list = [(name, (), value) for name, value in names.items() if not is_code(value)]
    seen, made = set(), 0
    while pending and made < MOST:
        name, path, value = pending.pop()
        made += 1
        yield name, path, value
        # The first and the last of a list are looked at both, also where they are one.
        place = (name, id(value), tuple(step for step in path if type(step) is int))
        if len(path) < DEPTH and place not in seen:
            seen.add(place)
            pending.extend((name, (*path, step), part) for step, part in parts_of(value) if not is_code(part))


def form_of(value):
    """What a thing is, of itself alone."""
    kind = type(value)
    if isinstance(value, str):
        return (kind, value)
    if isinstance(value, dict):
        return (kind, tuple(value))
    shape = getattr(value, "shape", None) if kind.__module__.partition(".")[0] in OF_ARRAYS else None
    if shape is not None:
        columns = getattr(value, "columns", None)
        return (kind, tuple(shape), str(getattr(value, "dtype", "")), None if columns is None else tuple(map(str, columns)))
    return (kind,)


def is_sequence(value):
    return type(value) is list or type(value) is getattr(sys.modules.get("collections"), "deque", list)
