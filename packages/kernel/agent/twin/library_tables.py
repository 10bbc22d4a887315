# Tables that a library fills while it is used: a class that registers itself when the first object of it is made, say. A
# twin imports the library afresh and makes no object, so its tables lack what the kernel's have. They are carried for the
# libraries that the cell's objects belong to, and entries that the twin lacks are added.
import contextlib
import pickle
import sys

from ..objects.lookup import class_module, module_dict, mro

MOST_ENTRIES = 64
MOST_BYTES = 1 << 16
# Every kernel with a twin has these, or thousands of tables that never change.
LEFT_OUT = frozenset(("builtins", "__main__", "torch"))


def taken(objects):
    """In a fork of the kernel: (module, name, pickled entries) of each. What cannot be pickled stays behind."""
    libraries = {class_module(cls).partition(".")[0] for value in objects.values() for cls in mro(type(value))} - LEFT_OUT
    found = []
    for name, module in list(sys.modules.items()):
        if type(name) is not str or name.partition(".")[0] not in libraries:
            continue
        for known, table in list((module_dict(module) or {}).items()):
            if type(table) is dict and 0 < len(table) <= MOST_ENTRIES and all(type(key) is str for key in table):
                with contextlib.suppress(Exception):
                    entries = pickle.dumps(table)
                    if len(entries) <= MOST_BYTES:
                        found.append((name, known, entries))
    return found


def restore(told):
    """Inside the twin: only what it lacks is added."""
    for name, known, entries in told:
        table = (module_dict(sys.modules.get(name)) or {}).get(known)
        if type(table) is dict:
            with contextlib.suppress(Exception):
                for key, value in pickle.loads(entries).items():
                    table.setdefault(key, value)
