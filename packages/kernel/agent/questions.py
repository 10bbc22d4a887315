# Small questions of a later round, when the first snapshot left something open: is this key in that big dict, this
# label in that long index, does every value of this column convert. Answers are yes, no or unknown.
import sys

from . import files, imports
from .lookup import MISSING

ASKERS = {}
KEYS_CHECKED = 2_000_000


def asks(kind):
    def register(function):
        ASKERS[kind] = function
        return function

    return register


def ask(question, walk, state):
    from .answer import walk_path

    if question["ask"] == "file":
        return _about_file(question["path"])
    if question["ask"] == "import":
        return _about_import(question["path"], question.get("value"), walk)
    status, value, because, _, _ = walk_path(question["path"], walk, state)
    if status != "present" or value is MISSING:
        return {"status": "unknown", "because": because or "the object cannot be reached statically"}
    asker = ASKERS.get(question["ask"])
    if asker is None:
        return {"status": "unknown", "because": "this agent does not know the question"}
    try:
        return asker(value, question, walk)
    except Exception as error:
        return {"status": "unknown", "because": type(error).__name__}


def _about_file(path):
    """Whether a path exists, and as what: for names of files that only the walk of the cell could fold."""
    told = files.probe(path)
    answer = {"status": {"absent": "no", "unknown": "unknown"}.get(told["status"], "yes"), "because": told["status"]}
    for field in ("parent", "siblings"):
        if field in told:
            answer[field] = told[field]
    return answer


def _about_import(module, name, walk):
    """Whether `import module` finds it, or `from module import name` finds the name."""
    told = imports.probe(module, [] if name is None else [name], walk)
    if name is not None and told["status"] == "present":
        told = told["names"][name]
        told.pop("object", None)
    answer = {"status": {"absent": "no", "present": "yes"}.get(told["status"], "unknown")}
    for field in ("because", "siblings"):
        if field in told:
            answer[field] = told[field]
    return answer


@asks("describe")
def describe(value, question, walk):
    """The full description of the object at a path."""
    return {"status": "yes", "object": walk.ref(value)}


@asks("has_key")
def has_key(value, question, walk):
    """Whether a dict holds a key. Only when all its keys are plain: looking up must not call anyone's `__eq__`."""
    key = question["value"]
    if type(value) is not dict:
        return {"status": "unknown", "because": "not a plain dict"}
    if len(value) > KEYS_CHECKED:
        return {"status": "unknown", "because": "too many keys"}
    if not all(map(PLAIN_KEY_TYPES.__contains__, map(id, map(type, value)))):
        return {"status": "unknown", "because": "keys of other classes"}
    if type(key) is list:
        key = tuple(key)
    return {"status": "yes" if key in value else "no"}


PLAIN_KEY_TYPES = frozenset(id(kind) for kind in (str, int, float, bool, bytes, type(None)))


@asks("has_label")
def has_label(value, question, walk):
    """Whether an index (of a frame or series, or itself) holds a label."""
    handler = walk.label_lookup(value)
    if handler is None:
        return {"status": "unknown", "because": "no index is known"}
    found = handler(question["value"])
    return {"status": "unknown", "because": "too long"} if found is None else {"status": "yes" if found else "no"}
