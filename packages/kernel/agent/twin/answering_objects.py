# Objects whose class answers for attributes that they lack, such as a library's stand-in for a module that it loads late.
# pickle asks the empty object for `__setstate__`, and `__getattr__` then asks it for attributes that it does not have yet,
# without end. So the attributes are set without asking.
import copyreg

from ..objects.lookup import class_dict, mro

OF_PICKLE = frozenset(("__reduce__", "__reduce_ex__", "__getstate__", "__setstate__", "__getnewargs__", "__getnewargs_ex__"))


def reduced(value, made):
    """How to make such an object again; None of anything else."""
    kind = type(value)
    if kind in copyreg.dispatch_table or kind.__new__ is not object.__new__:
        return None
    own = [class_dict(owner) for owner in mro(kind) if owner is not object]
    if not any("__getattr__" in names for names in own) or any(_speaks_for_itself(names) for names in own):
        return None
    attributes = object.__getattribute__(value, "__dict__")
    return made.new_object, (kind,), dict(attributes), None, None, made.set_attributes


def _speaks_for_itself(names):
    return "__slots__" in names or not OF_PICKLE.isdisjoint(names)
