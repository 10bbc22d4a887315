# Whether what a twin was given is equal to what the kernel has: both sides describe it the way a snapshot does, and the
# descriptions are compared. A twin with other objects would speak of another notebook.
import hashlib
import json
import os
import sys
import types

from ..describe.walk import Walk
from ..objects.budget import Budget
from ..objects.callables import codes_within

LIMITS = {"ms": 2_000, "bytes": 4_000_000}
CODE = (types.FunctionType, types.BuiltinFunctionType, types.MethodType, types.ModuleType, type)


def digests(objects):
    """Name to a digest of what is told of the object. Code is left out: it is carried by value, or imported."""
    budget, found = Budget(LIMITS), {}
    for name, value in objects.items():
        if not isinstance(value, CODE):
            digest = _digest(value, budget)
            if digest is not None:
                found[name] = digest
    return found


def _digest(value, budget):
    """None where nothing can be said: too much to describe, or an order that changes from process to process."""
    walk = Walk(None, budget, 0, [])
    ref = walk.ref(value)
    walk.run()
    if any(told["kind"] in ("omitted", "set") for told in walk.objects.values()):
        return None
    return hashlib.sha256(json.dumps(_form(ref, walk.objects, {}), sort_keys=True).encode()).hexdigest()


def _form(ref, objects, seen):
    """What is told of an object and of those in it. A library answers for the pickling of its own objects, and makes parts
    of them anew, seeds and caches among them: of these the kind, the class and what they hold are compared."""
    if ref in seen:
        return seen[ref]
    seen[ref] = len(seen)
    told = objects[ref]
    of_library = _is_of_library(told["class"])
    parts = told.get("structural", {}).items()
    return {
        "kind": told["kind"],
        "class": told["class"],
        "literal": told.get("values", {}).get("literal"),
        "representation": None if of_library else told.get("representation"),
        "structural": {
            name: _followed(part, objects, seen)
            for name, part in parts
            if not (of_library and name in ("attributes", "members"))
        },
    }


def _is_of_library(class_name):
    """Not of the notebook, nor of a module of the user's, nor built in."""
    root, dot, _ = class_name.partition(".")
    path = getattr(sys.modules.get(root), "__file__", None)
    return bool(dot) and root != "__main__" and (path is None or _is_installed(path))


def _followed(part, objects, seen):
    if isinstance(part, dict):
        return {name: _followed(held, objects, seen) for name, held in part.items()}
    if isinstance(part, list):
        return [_followed(held, objects, seen) for held in part]
    return _form(part, objects, seen) if isinstance(part, str) and part in objects else part


def unequal(before, after):
    """Names whose objects were described on both sides, and differ."""
    return sorted(name for name in before if name in after and after[name] != before[name])


def edited_modules(objects):
    """Names of modules whose file holds other functions by now than the kernel has loaded. The twin imports the file."""
    return sorted(name for name in {_module_of(value) for value in objects.values()} if name and _is_edited(name))


def _module_of(value):
    if isinstance(value, types.ModuleType):
        return value.__name__
    name = getattr(value if isinstance(value, CODE) else type(value), "__module__", None)
    return name if isinstance(name, str) else None


def _is_edited(name):
    module = sys.modules.get(name)
    path = getattr(module, "__file__", None)
    if module is None or not isinstance(path, str) or not path.endswith(".py") or _is_installed(path):
        return False
    try:
        with open(path, "rb") as file:
            present = set(codes_within(compile(file.read(), path, "exec", dont_inherit=True)))
    except (OSError, SyntaxError, ValueError):
        return True
    loaded = [value.__code__ for value in vars(module).values() if isinstance(value, types.FunctionType)]
    return any(code.co_filename == path and code not in present for code in loaded)


def _is_installed(path):
    places = {os.path.realpath(place) + os.sep for place in (sys.prefix, sys.base_prefix)}
    return os.path.realpath(path).startswith(tuple(places))
