# What IPython calls before it runs a cell: what the notebook has registered there may change what the cell finds.
import functools
import types

from ..describe.builtins import is_user_class
from ..objects.lookup import instance_dict

EVENTS = ("pre_execute", "pre_run_cell")
WRAPPERS = 4


def functions(shell, namespace):
    """Callables of the notebook's own that are called before each cell."""
    events = instance_dict(getattr(shell, "events", None)) or {}
    held = events.get("callbacks")
    found = []
    if type(held) is not dict:
        return found
    for event in EVENTS:
        for callback in list(held.get(event) or ()):
            function = _of_notebook(callback, namespace, WRAPPERS)
            if function is not None:
                found.append(function)
    return found


def _of_notebook(callback, namespace, depth):
    """The callable of the notebook's that runs when this one is called, or None."""
    if depth == 0 or is_user_class(type(callback)):
        return callback
    if type(callback) is types.MethodType:
        return callback if is_user_class(type(callback.__self__)) else _of_notebook(callback.__func__, namespace, depth - 1)
    if type(callback) is functools.partial:
        return _of_notebook(callback.func, namespace, depth - 1)
    if type(callback) is not types.FunctionType:
        return None
    if callback.__globals__ is namespace:
        return callback
    for cell in callback.__closure__ or ():
        try:
            inner = cell.cell_contents
        except ValueError:
            continue
        if type(inner) in (types.FunctionType, types.MethodType, functools.partial):
            found = _of_notebook(inner, namespace, depth - 1)
            if found is not None:
                return found
    return None
