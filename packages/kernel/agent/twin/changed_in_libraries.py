# What the notebook has changed in libraries, read in a fork of the kernel at the places that `held_by_libraries.py` found,
# and set again in the twin. Of tables only what is the notebook's own is taken: a hook, a class that was registered. The
# rest is filled by use, and a twin fills its own.
import contextlib
import functools
import pickle
import sys
import types
import warnings

from ..objects.lookup import class_dict, class_module, is_class, module_dict
from .held_by_libraries import TABLES, is_plain

MOST_ENTRIES = 10_000
MOST_PARTS = 16


def taken(places, namespace):
    """(settings, answers of switches) to be pickled by any pickler, and the registries, whose entries only the notebook's
    pickler takes."""
    settings = []
    for module, owner, name in places.get("settings", ()):
        value = _held(module, owner).get(name)
        if name in _held(module, owner) and is_plain(value):
            with contextlib.suppress(Exception):
                settings.append((module, owner, name, pickle.dumps(value)))
    answers = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for module, ask, change in places.get("switches", ()):
            with contextlib.suppress(Exception):
                answers.append((module, ask, change, _held(module, None)[ask]()))
    return {"settings": settings, "switches": answers}, _registries(places, namespace)


def _held(module, owner):
    held = module_dict(sys.modules.get(module)) or {}
    if owner is None:
        return held
    return class_dict(held[owner]) if is_class(held.get(owner)) else {}


def _registries(places, namespace):
    """[(the table, (module, class or None, name), entries of the notebook's)]"""
    found = []
    for module, owner, tables in places.get("registries", ()):
        held = _held(module, owner)
        for name, fresh in tables:
            table = held.get(name)
            if not isinstance(table, TABLES) or len(table) == fresh or len(table) > MOST_ENTRIES:
                continue
            entries = list(dict.items(table)) if isinstance(table, dict) else list(table)
            own = [entry for entry in entries if _is_of_notebook(entry, namespace)]
            if own:
                found.append((table, (module, owner, name), own))
    return found


def _is_of_notebook(value, namespace):
    if type(value) is types.FunctionType:
        return value.__globals__ is namespace
    if type(value) is types.MethodType:
        return any(_is_of_notebook(part, namespace) for part in (value.__func__, value.__self__))
    if type(value) is functools.partial:
        return _is_of_notebook(value.func, namespace)
    if type(value) in (tuple, list):
        return any(_is_of_notebook(part, namespace) for part in value[:MOST_PARTS])
    return class_module(value if is_class(value) else type(value)) == "__main__"


def parted(registries, can_be_carried):
    """(those whose entries can be carried, names of the others)."""
    left = [place for _, place, own in registries if not can_be_carried(own)]
    return [one for one in registries if one[1] not in left], [".".join(filter(None, place)) for place in left]


def restore_tables(registries):
    """Inside the twin, with what was carried beside the objects."""
    for (module, owner, name), entries in registries:
        table = _held(module, owner).get(name)
        if isinstance(table, dict):
            for key, value in entries:
                table[key] = value
        elif isinstance(table, list):
            table.extend(entries)
        elif isinstance(table, set):
            table.update(entries)


def restore(told):
    """Inside the twin."""
    for module, owner, name, pickled in told["settings"]:
        held = _held(module, owner)
        with contextlib.suppress(Exception):
            if name not in held or pickle.dumps(held[name]) == pickled:
                continue
            if owner is None:
                held[name] = pickle.loads(pickled)
            else:
                type.__setattr__(_held(module, None)[owner], name, pickle.loads(pickled))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for module, ask, change, answer in told["switches"]:
            with contextlib.suppress(Exception):
                if change is not None and _held(module, None)[ask]() != answer:
                    _held(module, None)[change](answer)


def standing_otherwise(told):
    """Inside the twin, after everything is restored: names of the switches that stand otherwise than in the kernel."""
    found = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for module, ask, _, answer in told["switches"]:
            with contextlib.suppress(Exception):
                if type(answer) is bool and _held(module, None)[ask]() != answer:
                    found.append(ask.strip("_"))
    return sorted(set(found))
