# What a call can get at: from the object that it is of, through everything that this holds. What it cannot get at it leaves
# as it is, however long it trains.
import enum
import importlib
import logging
import types
import weakref

from .things import is_immutable

# Code is followed by the names in it. The others are the same for everybody.
SKIPPED = (types.ModuleType, types.CodeType, types.FrameType, types.BuiltinFunctionType, enum.Enum, logging.Logger)
MOST = 400_000


def reached_from(value, namespace):
    """Identities of what can be got at from the value; None where that is too much. `namespace`: what code of the notebook
    sees, which is not followed as a whole."""
    # Few kernels have it loaded, and only copies ask.
    referents = importlib.import_module("gc").get_referents
    found, pending = set(), [value]
    while pending:
        if len(found) > MOST:
            return None
        one = pending.pop()
        if one is namespace or id(one) in found or _is_shared(one):
            continue
        found.add(id(one))
        pending.extend(_held_by(one, referents))
    return found


def _is_shared(value):
    if isinstance(value, type):
        return value.__module__ != "__main__"
    return value is None or isinstance(value, SKIPPED) or is_immutable(value)


def _held_by(value, referents):
    if isinstance(value, types.FunctionType):
        return [value.__closure__, value.__defaults__, value.__kwdefaults__, value.__dict__]
    if isinstance(value, weakref.ref):
        return [value()]
    return referents(value)
