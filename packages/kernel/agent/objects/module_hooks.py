# Modules with a `__getattr__` of their own (lazy submodules, deprecations). Its code is read, not run: when a name
# occurs nowhere in it nor in the tables it consults, and nothing else could produce an attribute, the name is absent.
import os
import types

from ..protocol import reasons
from .callables import global_names, texts_in
from .lookup import MISSING, entry

HARMLESS = frozenset(
    "AttributeError KeyError ImportError ModuleNotFoundError DeprecationWarning FutureWarning UserWarning globals"
    " __name__ str repr sorted list set isinstance RuntimeError".split()
)
REMOVED_TABLES = ("__former_attrs__", "__expired_attributes__")
"""Where NumPy keeps the attributes it has taken away, with its advice."""
ENTRIES = 5000


def verdict(held, name):
    """("absent", reason) when the module's hook cannot produce `name`; None when it may."""
    hook = held.get("__getattr__")
    if type(hook) is not types.FunctionType or (hook.__globals__ is not held and hook.__closure__ is None):
        return None
    name_of_module = held.get("__name__")
    if type(name_of_module) is str and name_of_module == "numpy":
        for table in REMOVED_TABLES:
            advice = entry(held[table], name) if type(held.get(table)) is dict else None
            if type(advice) is str:
                return "absent", reasons.removed(" ".join(advice.split())[:300])
    tables = _tables(hook)
    if tables is None or any(name in table for table in tables) or _is_on_disk(held, name):
        return None
    return "absent", None


def _is_on_disk(held, name):
    """Whether a hook that imports submodules by name could find one."""
    path = held.get("__path__")
    if path is None:
        return False
    if type(path) is not list:
        return True
    return any(
        os.path.exists(os.path.join(folder, name)) or os.path.exists(os.path.join(folder, name + ".py"))
        for folder in path
        if type(folder) is str
    )


def _tables(hook):
    """Every collection of names that the hook can compare with; None when it does more than that."""
    tables = [set(texts_in(hook.__code__))]
    loaded = {name: entry(hook.__globals__, name) for name in global_names(hook.__code__)}
    for cell, name in zip(hook.__closure__ or (), hook.__code__.co_freevars):
        try:
            loaded[name] = cell.cell_contents
        except ValueError:
            return None
    for name, value in loaded.items():
        if value is MISSING:
            if name not in HARMLESS:
                return None
        elif type(value) is dict or type(value) is set or type(value) is frozenset:
            if len(value) > ENTRIES:
                return None
            tables.append({entry for entry in list(value) if type(entry) is str})
        elif type(value) is list or type(value) is tuple:
            tables.append({entry for entry in value[:ENTRIES] if type(entry) is str})
        elif type(value) is not str and type(value) is not types.ModuleType:
            return None
    return tables
