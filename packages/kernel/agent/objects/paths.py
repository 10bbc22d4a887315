# Dotted paths, followed statically from a global name.
from .lookup import MISSING, static_names
from .resolve import resolve
from .similar_names import alike


def follow(path, walk, state):
    """Follow a dotted path statically: (status, value, reason, the last object reached, the name that failed)."""
    first, *rest = path.split(".")
    value, _ = state.lookup(first)
    if value is MISSING:
        return "absent", MISSING, None, None, first
    for name in rest:
        holder = value
        status, value, reason = resolve(holder, name, walk.resolvers)
        if status != "present":
            return status, MISSING, reason, holder, name
        if value is MISSING:
            last = name is rest[-1]
            return ("present" if last else "unknown"), MISSING, reason, holder, name
    return "present", value, None, None, None


def path_fact(path, walk, state):
    status, value, reason, holder, failed = follow(path, walk, state)
    told = {"status": status}
    if value is not MISSING:
        told["object"] = walk.ref(value)
    if reason:
        told["reason"] = reason
    if failed is not None and status != "present":
        told["failed_at"] = failed
        if holder is not None:
            told["holder"] = walk.ref(holder)
    if status == "absent" and holder is not None and not walk.budget.spent():
        told["siblings"] = alike(failed, static_names(holder, 5000) or [])
    return told
