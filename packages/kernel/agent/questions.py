# Small questions of a later round, when the first snapshot left something open: is this key in that big dict, this
# label in that long index, what is in this column. The answer is yes, no or unknown; libraries register their own.
from .budget import Budget
from .lookup import MISSING, is_a
from .paths import follow
from .registry import ANSWERERS, at_location

GENEROUS = 40


def ask(question, walk, state):
    status, value, because, _, _ = follow(question["path"], walk, state)
    if status != "present" or value is MISSING:
        return unknown(because or "the object cannot be reached statically")
    if question["ask"] == "describe":
        return {"status": "yes", "object": walk.ref(value)}
    for kind, location, function in ANSWERERS:
        cls = at_location(location) if kind == question["ask"] else None
        if cls is not None and is_a(value, cls):
            try:
                return function(value, question["value"], Budget(None, GENEROUS))
            except Exception as error:
                return unknown(type(error).__name__)
    return unknown("nothing here answers that of such an object")


def unknown(because):
    return {"status": "unknown", "because": because}
