# What a trainer gives away that its settings alone decide about: `trainer.checkpoint_callback` looks for the first callback
# of a kind. Where the callbacks are the same before and after the training, and nothing else is asked of them than their
# kind, every round finds the same.
import dis

from ..objects.callables import codes_within

CHOOSING = frozenset(("len", "isinstance", "next", "any", "all"))
READING = frozenset(("LOAD_ATTR", "LOAD_METHOD"))
GLOBAL = frozenset(("LOAD_GLOBAL", "LOAD_NAME"))
CHANGING = frozenset(("STORE_ATTR", "STORE_SUBSCR", "STORE_GLOBAL", "DELETE_ATTR", "DELETE_SUBSCR"))


def parts_of(owner):
    """What an object holds now, lists one by one."""
    return {name: _copied(value) for name, value in getattr(owner, "__dict__", {}).items()}


def attributes_behind(owner, name):
    """The attributes that a property of the object chooses from, by their kind and number alone; None where it does more."""
    found, pending, seen = set(), [name], set()
    while pending:
        asked = pending.pop()
        if asked in seen:
            # A property is not made of itself: that is an attribute of something else.
            return None
        seen.add(asked)
        member = next((vars(kind)[asked] for kind in type(owner).__mro__ if asked in vars(kind)), None)
        if isinstance(member, property):
            names = _read_by(member.fget)
            if names is None:
                return None
            pending += names
        elif member is None and isinstance(getattr(owner, "__dict__", {}).get(asked, owner), (list, tuple, type(None))):
            found.add(asked)
        else:
            return None
    return found


def are_same(before, owner, names):
    now = getattr(owner, "__dict__", {})
    return all(name in before and _is_same(before[name], now.get(name)) for name in names)


def _is_same(one, other):
    if isinstance(one, (list, tuple)):
        return type(one) is type(other) and len(one) == len(other) and all(map(lambda a, b: a is b, one, other))
    return one is other


def _copied(value):
    return list(value) if type(value) is list else value


def _read_by(function):
    """The attributes that a function reads; None where it does anything but choose."""
    names, code = set(), getattr(function, "__code__", None)
    if code is None:
        return None
    for each in codes_within(code):
        for step in dis.get_instructions(each):
            if step.opname in CHANGING:
                return None
            if step.opname in READING:
                names.add(step.argval)
            if step.opname in GLOBAL and step.argval not in CHOOSING:
                held = function.__globals__.get(step.argval)
                if not isinstance(held, type):
                    return None
    return names
