# Tables that a library fills while it is used: a class that registers itself when the first object of it is made, say, or
# one that keeps what it found out about the machine. A twin imports the library afresh and makes no object, so its tables
# lack what the kernel's have. They are carried for the libraries that the cell's objects belong to and for the classes that
# these libraries use, and entries that the twin lacks are added.
import contextlib
import enum
import pickle
import sys

from ..objects.lookup import class_dict, class_module, is_class, module_dict, mro

MOST_ENTRIES = 64
MOST_BYTES = 1 << 16
# Every kernel with a twin has these, or thousands of tables that never change.
LEFT_OUT = frozenset(("builtins", "__main__", "torch"))


def taken(objects):
    """In a fork of the kernel: (module, class or None, name, pickled entries) of each. What cannot be pickled stays
    behind."""
    classes = {cls for value in objects.values() for cls in mro(value if is_class(value) else type(value))}
    libraries = {class_module(cls).partition(".")[0] for cls in classes} - LEFT_OUT
    found = []
    seen = set()
    for name, module in list(sys.modules.items()):
        if type(name) is not str or name.partition(".")[0] not in libraries:
            continue
        for known, held in list((module_dict(module) or {}).items()):
            if type(held) is dict:
                _take(found, held, (name, None, known))
            elif is_class(held) and id(held) not in seen and _keeps_tables(held):
                seen.add(id(held))
                for attribute, table in list(class_dict(held).items()):
                    if type(table) is dict and not attribute.startswith("__"):
                        _take(found, table, (name, known, attribute))
    return found


def _keeps_tables(cls):
    return class_module(cls).partition(".")[0] not in LEFT_OUT and not issubclass(cls, enum.Enum)


def _take(found, table, place):
    if 0 < len(table) <= MOST_ENTRIES and all(type(key) is str for key in table):
        with contextlib.suppress(Exception):
            entries = pickle.dumps(table)
            if len(entries) <= MOST_BYTES:
                found.append((*place, entries))


def restore(told):
    """Inside the twin: only what it lacks is added."""
    for name, owner, known, entries in told:
        held = module_dict(sys.modules.get(name)) or {}
        if owner is not None:
            held = class_dict(held[owner]) if is_class(held.get(owner)) else {}
        table = held.get(known)
        if type(table) is dict:
            with contextlib.suppress(Exception):
                for key, value in pickle.loads(entries).items():
                    table.setdefault(key, value)
