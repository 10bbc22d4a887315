# Small questions of a later round, when the first snapshot left something open: is this key in that big dict, this
# label in that long index, what is in this column. The answer is yes, no or unknown; libraries register their own.
import os
import shutil

from ..describe.registry import ANSWERERS, at_location
from ..objects.budget import Budget
from ..objects.lookup import MISSING, class_dict, is_a, is_class, mro
from ..objects.paths import follow
from ..objects.similar_names import alike
from ..protocol import reasons
from . import files, imports, parameter_constraints

GENEROUS = 40


def ask(question, walk, state):
    if question["ask"] == "file":
        return about_file(question["path"])
    if question["ask"] == "executable":
        return about_program(question["path"])
    if question["ask"] == "import":
        return about_import(question["path"], question["value"], walk)
    if question["ask"] == "option":
        return about_option(question["path"], question["value"])
    if question["ask"] == "class_attribute":
        return about_class(question["path"], question["value"])
    if question["ask"] == "parameters":
        return parameter_constraints.judge(question["path"], question["value"])
    status, value, reason, _, _ = follow(question["path"], walk, state)
    if status != "present" or value is MISSING:
        return unknown(reason or reasons.unreachable())
    if question["ask"] == "describe":
        return {"status": "yes", "object": walk.ref(value)}
    for kind, location, function in ANSWERERS:
        cls = at_location(location) if kind == question["ask"] else None
        if cls is not None and is_a(value, cls):
            try:
                return function(value, question["value"], Budget(None, GENEROUS))
            except Exception as error:
                return unknown(reasons.asking_failed(type(error).__name__))
    return unknown(reasons.no_answerer())


def about_file(path):
    """Whether a path exists, and as what: for names of files that only the walk over the cell could fold."""
    told = files.probe(path)
    status = {"absent": "no", "unknown": "unknown"}.get(told["status"], "yes")
    extras = {field: told[field] for field in ("parent", "siblings") if field in told}
    return {"status": status, "is": told["status"], **extras}


def about_program(name):
    """Whether the search path holds a program of that name; only where it is looked for by name alone."""
    if os.name != "posix":
        return unknown(reasons.not_looked_for())
    try:
        return {"status": "no" if shutil.which(name) is None else "yes"}
    except Exception as error:
        return unknown(reasons.asking_failed(type(error).__name__))


def about_import(module, name, walk):
    """Whether `import module` finds it, or `from module import name` finds the name."""
    told = imports.probe(module, [] if name is None else [name], walk)
    if name is not None and told["status"] == "present":
        told = told["names"][name]
    status = {"absent": "no", "present": "yes"}.get(told["status"], "unknown")
    extras = {field: told[field] for field in ("reason", "siblings") if field in told}
    return {"status": status, **extras}


def about_class(path, name):
    """Whether a class of a loaded library has the attribute by now: other libraries and the user add to classes."""
    module, _, attribute = path.rpartition(".")
    cls = at_location(f"{module}:{attribute}")
    if cls is None or not is_class(cls):
        return unknown(reasons.class_not_loaded())
    return {"status": "yes" if any(name in class_dict(base) for base in mro(cls)) else "no"}


def about_option(path, value):
    """Whether the installed Keras knows an activation, loss, optimizer … by that name."""
    known = at_location("keras.src." + path.partition(".")[2] + ":ALL_OBJECTS_DICT")
    own = at_location("keras.src.saving.object_registration:GLOBAL_CUSTOM_OBJECTS")
    if type(known) is not dict or type(own) is not dict or own:
        return unknown(reasons.options_unknown())
    names = [name for name in known if type(name) is str]
    if value in names or value.lower() in names:
        return {"status": "yes"}
    return {"status": "no", "siblings": alike(value, names)}


def unknown(reason):
    return {"status": "unknown", "reason": reason}
