# What the notebook has changed in libraries, read in a fork of the kernel at the places that `held_by_libraries.py` found,
# and set again in the twin. Of tables only what is the notebook's own is taken: a hook, a class that was registered. The
# rest is filled by use, and a twin fills its own. Of names in modules and classes that cells have set, those are taken
# that stand for something of the notebook's, and those that a fresh module has not; and of classes at hand the methods
# that another package has put there.
import builtins
import contextlib
import functools
import importlib
import linecache
import marshal
import pickle
import re
import sys
import types
import warnings

from ..objects.lookup import class_dict, class_module, instance_dict, is_class, module_dict, mro
from .held_by_libraries import TABLES, foreign_methods, is_plain

MOST_ENTRIES = 10_000
MOST_PARTS = 16
# Their modules and classes are the kernel's own, and a twin makes others.
OF_THE_SHELL = frozenset(("__main__", "IPython", "ipykernel"))
# The text of a cell, in what Python keeps of sources; an attribute that is set there; and one whose name is not written out.
OF_A_CELL = re.compile(r"^<ipython|[/\\]ipykernel_")
SETS = (
    re.compile(r"(?<![\w.)\]])([^\W\d][\w.]*)\.(\w+)(?=\s*(?:,[^=()\n]*)?(?::[^=\n]*)?=(?!=))"),
    re.compile(r"\bsetattr\(\s*([\w.]+)\s*,\s*[\"'](\w+)[\"']"),
)
SETS_ANY = re.compile(
    r"\bsetattr\((?!\s*(?:self\b|[\w.]+\s*,\s*[\"']\w+[\"']))|\bpatch(?:\.\w+)?\("
    r"|\b__dict__(?:\[|\.update\()"
)
CODE = (types.FunctionType, types.BuiltinFunctionType, types.MethodType, type)
# What stands for a function, and where it has it.
HOLDS_FUNCTIONS = {
    types.MethodType: ("__func__", "__self__"),
    functools.partial: ("func",),
    functools.cached_property: ("func",),
    type(functools.lru_cache(lambda: None)): ("__wrapped__",),
    property: ("fget", "fset", "fdel"),
    staticmethod: ("__func__",),
    classmethod: ("__func__",),
}


def taken(places, namespace):
    """(settings, answers of switches) to be pickled by any pickler, and the registries, whose entries only the notebook's
    pickler takes."""
    settings = []
    for module, owner, name in places.get("settings", ()):
        value = _held(module, owner).get(name)
        if name in _held(module, owner) and is_plain(value):
            with contextlib.suppress(Exception):
                settings.append((module, owner, name, pickle.dumps(value)))
    switches = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for module, ask, change in places.get("switches", ()):
            with contextlib.suppress(Exception):
                switches.append((module, ask, change, _held(module, None)[ask]()))
    return {"settings": settings, "switches": switches}, _registries(places, namespace)


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


def replaced(places, namespace):
    """[((module, class or None, name), value)]"""
    owners, names = _assigned(namespace)
    found = {}
    for module, owner, name in owners:
        if module.partition(".")[0] in OF_THE_SHELL:
            continue
        held, fresh = _held(module, owner), places.get("names", {}).get(module) if owner is None else None
        if name in held and (_is_of_notebook(held[name], namespace) or _is_new(name, held[name], fresh)):
            found[module, owner, name] = held[name]
    built_in = builtins.__name__
    if built_in in places.get("names", {}):
        fresh = marshal.loads(places["names"][built_in])
        for name in builtins.__dict__.keys() - fresh:
            value = builtins.__dict__[name]
            if not name.startswith("_") and not isinstance(value, CODE):
                found[built_in, None, name] = value
    if names is None or names:
        found.update(_at_hand(namespace, names))
    found.update(_left_by_libraries(namespace, places))
    return list(found.items())


def _is_new(name, value, fresh):
    """Whether a module has it under a name that is not its own, and it is known elsewhere or plain."""
    if fresh is None or name in marshal.loads(fresh) or not (isinstance(value, CODE) or is_plain(value)):
        return False
    with contextlib.suppress(Exception):
        return bool(pickle.dumps(value))
    return False


def _at_hand(namespace, names):
    """What is of the notebook in the modules and classes that its names lead to, under these names; None: under any."""
    own, loaded = _Own(namespace), [held for held in map(module_dict, list(namespace.values())) if held is not None]
    of_modules = [(held.get("__name__"), None, held) for held in loaded]
    of_classes = [(*_place_of_class(cls), class_dict(cls)) for cls in _classes(namespace)]
    for module, owner, held in [*of_modules, *of_classes]:
        if type(module) is str and module.partition(".")[0] not in OF_THE_SHELL:
            for name, value in own.of(held) if names is None else own.named(held, names):
                yield (module, owner, name), value


def _left_by_libraries(namespace, places):
    """Methods that one package has put into a class of another: for the time of a call, say, that failed."""
    for cls in _classes(namespace):
        module, owner = _place_of_class(cls)
        fresh = places.get("foreign", {}).get(module)
        if fresh is None:
            continue
        for name in foreign_methods(cls, module):
            if (owner, name) not in fresh:
                yield (module, owner, name), class_dict(cls)[name]


def _classes(namespace):
    """Those that its names and the attributes of what they stand for lead to, each once."""
    found = {}
    for value in list(namespace.values()):
        parts = None if is_class(value) or module_dict(value) is not None else instance_dict(value)
        for part in (value, *(parts or {}).values()):
            for cls in mro(part if is_class(part) else type(part)):
                found[id(cls)] = cls
    return list(found.values())


def _assigned(namespace):
    """(places where cells have set attributes of modules and classes, names of attributes that they have set of objects
    that cannot be told; None where they may have any name)."""
    texts = [text for text in namespace.get("In") or () if type(text) is str]
    texts += ["".join(kept[2]) for name, kept in list(linecache.cache.items()) if OF_A_CELL.search(name) and len(kept) > 2]
    owners, names = set(), set()
    for path, name in {found for pattern in SETS for text in texts for found in pattern.findall(text)}:
        first, *rest = path.split(".")
        if first in namespace:
            owners.add(_place_of(namespace[first], rest, name))
        elif first != "self":
            names.add(name)
    return owners - {None}, None if any(SETS_ANY.search(text) for text in texts) else names


def _place_of(value, path, name):
    """None of what is no module and no class."""
    for part in path:
        value = (class_dict(value) if is_class(value) else module_dict(value) or {}).get(part)
    if is_class(value):
        return (*_place_of_class(value), name)
    held = module_dict(value)
    return None if held is None or type(held.get("__name__")) is not str else (held["__name__"], None, name)


def _place_of_class(cls):
    return class_module(cls), type.__dict__["__name__"].__get__(cls)


class _Own:
    """Finds what is of the notebook among what libraries have under a name."""

    FUNCTION, ANOTHER = 1, 2

    def __init__(self, namespace):
        self.namespace, self.kinds = namespace, {id(types.FunctionType): self.FUNCTION}

    def of(self, held):
        """(name, value) of what is."""
        found, kinds, namespace = [], self.kinds, self.namespace
        for name, value in list(held.items()):
            kind = kinds.get(id(type(value)))
            if kind is None:
                kind = self._kind(type(value))
            if kind == self.FUNCTION:
                if value.__globals__ is namespace:
                    found.append((name, value))
            elif kind == self.ANOTHER and _is_of_notebook(value, namespace):
                found.append((name, value))
        return found

    def named(self, held, names):
        """The same of these names alone."""
        return [(name, held[name]) for name in names if name in held and _is_of_notebook(held[name], self.namespace)]

    def _kind(self, cls):
        looked_at = issubclass(cls, type) or cls in HOLDS_FUNCTIONS or class_module(cls) == "__main__"
        kind = self.ANOTHER if looked_at else 0
        self.kinds[id(cls)] = kind
        return kind


def _is_of_notebook(value, namespace):
    if type(value) is types.FunctionType:
        return value.__globals__ is namespace
    if type(value) in HOLDS_FUNCTIONS:
        return any(_is_of_notebook(getattr(value, name, None), namespace) for name in HOLDS_FUNCTIONS[type(value)])
    if type(value) in (tuple, list):
        return any(_is_of_notebook(part, namespace) for part in value[:MOST_PARTS])
    return class_module(value if is_class(value) else type(value)) == "__main__"


def parted(registries, names, can_be_carried):
    """(registries whose entries can be carried, names that can be, what the others are called)."""
    left = [place for _, place, own in registries if not can_be_carried(own)]
    left += [place for place, value in names if not can_be_carried(value)]
    kept = [one for one in registries if one[1] not in left]
    return kept, [one for one in names if one[0] not in left], [".".join(filter(None, place)) for place in left]


def restore_names(names):
    """Inside the twin, with what was carried beside the objects."""
    for (module, owner, name), value in names:
        with contextlib.suppress(Exception):
            importlib.import_module(module)
        held = _held(module, owner)
        if owner is None:
            held[name] = value
        elif held:
            type.__setattr__(_held(module, None)[owner], name, value)


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


def answers(told):
    """Inside the twin: what its switches answer."""
    found = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for module, ask, _, _ in told["switches"]:
            with contextlib.suppress(Exception):
                found[module, ask] = _held(module, None)[ask]()
    return found


def standing_otherwise(told, moved):
    """Inside the twin, after everything is restored: names of what stands otherwise than in the kernel. `moved`: switches
    that the twin has moved by pretending."""
    now = answers(told)
    found = {
        ask.strip("_")
        for module, ask, _, answer in told["switches"]
        if type(answer) is bool and (module, ask) not in moved and now.get((module, ask), answer) != answer
    }
    return sorted(found)

