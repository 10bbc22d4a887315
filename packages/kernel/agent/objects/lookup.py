# Looking at objects without running their code. Everything goes through the C-level descriptors of `type` and
# `object`: no `__getattr__`, no property, no `__class__` that lies, no metaclass override is ever called.
import sys
import types
from itertools import repeat
from operator import is_

MISSING = object()

_mro_of = type.__dict__["__mro__"].__get__
_dict_of = type.__dict__["__dict__"].__get__
_module_of = type.__dict__["__module__"].__get__
_qualname_of = type.__dict__["__qualname__"].__get__
_module_dict_of = vars(types.ModuleType)["__dict__"].__get__

FUNCTION_TYPES = (
    types.FunctionType,
    types.BuiltinFunctionType,
    types.MethodDescriptorType,
    types.WrapperDescriptorType,
    types.ClassMethodDescriptorType,
)


def _generic_holders():
    """Classes written in C that spell out the generic attribute lookup as their own `__getattribute__`."""
    named = {
        "builtins": "bool int float complex str bytes bytearray list tuple dict set frozenset range slice zip map"
        " filter enumerate reversed property memoryview BaseException",
        "types": "BuiltinFunctionType GeneratorType SimpleNamespace",
        "datetime": "date datetime time timedelta tzinfo",
        "collections": "deque defaultdict",
        "functools": "partial",
    }
    held = [
        vars(sys.modules[module]).get(name) for module in named if module in sys.modules for name in named[module].split()
    ]
    return frozenset(id(cls) for cls in held if cls is not None)


_GENERIC = _generic_holders()
# Classes, and dicts of modules, whose names are all plain text.
_plain_holders = set()


def entry(held, name, default=MISSING):
    """What a dict of anybody's holds under a text."""
    return plain_names(held).get(name, default)


def plain_names(held):
    """The dict itself. Where a key is no plain text, a copy without it: a lookup beside it would run its `__eq__`."""
    if _has_plain_keys(dict.__iter__(held)):
        return held
    return {key: value for key, value in list(dict.items(held)) if type(key) is str}


def _class_entry(cls, name):
    held = _dict_of(cls)
    if id(cls) not in _plain_holders:
        if not _has_plain_keys(held):
            return next((value for key, value in held.items() if type(key) is str and key == name), MISSING)
        _plain_holders.add(id(cls))
    return held.get(name, MISSING)


def _has_plain_keys(keys):
    return all(map(is_, map(type, keys), repeat(str)))


def forget_holders():
    """At the start of a request: between two, classes and modules come, go and change."""
    _plain_holders.clear()


def mro(cls):
    return _mro_of(cls)


def class_dict(cls):
    return _dict_of(cls)


def is_a(obj, cls):
    """`isinstance` that cannot be fooled and calls nothing."""
    return any(base is cls for base in _mro_of(type(obj)))


def has_type(obj, *types_):
    """Whether the exact class is one of these, by identity: `in` would call a metaclass's `__eq__`."""
    cls = type(obj)
    return any(cls is known for known in types_)


def is_class(obj):
    return is_a(obj, type)


def class_name(cls):
    """Fully qualified name; builtins without their module."""
    try:
        module, qualname = _module_of(cls), _qualname_of(cls)
    except Exception:
        return "?"
    if type(qualname) is not str:
        return "?"
    if type(module) is not str or module == "builtins":
        return qualname
    return module + "." + qualname


def class_module(cls):
    module = _module_of(cls)
    return module if type(module) is str else ""


def base_names(cls):
    return [class_name(base) for base in _mro_of(cls)[1:] if base is not object]


def find_in_class(cls, name):
    """The raw class attribute, and the class that holds it."""
    for base in _mro_of(cls):
        found = _class_entry(base, name)
        if found is not MISSING:
            return found, base
    return MISSING, None


def defines(cls, name):
    """Whether instances of `cls` have the special method; None as its value takes it away."""
    found, _ = find_in_class(cls, name)
    return found is not MISSING and found is not None


def instance_dict(obj):
    """The real `__dict__` of an instance, or None; without the keys that are no plain text."""
    for base in _mro_of(type(obj)):
        holder = _class_entry(base, "__dict__")
        if holder is not MISSING:
            if type(holder) is not types.GetSetDescriptorType and type(holder) is not types.MemberDescriptorType:
                return None
            try:
                held = holder.__get__(obj)
            except Exception:
                return None
            return plain_names(held) if type(held) is dict else None
    return None


def module_dict(module):
    if module is None or not is_a(module, types.ModuleType):
        return None
    held = _module_dict_of(module)
    if id(held) in _plain_holders:
        return held
    plain = plain_names(held)
    if plain is held:
        _plain_holders.add(id(held))
    return plain


def loaded_entry(module, name):
    """What a loaded module holds under a name, or MISSING."""
    held = module_dict(sys.modules.get(module))
    return MISSING if held is None else held.get(name, MISSING)


def slots(obj):
    """Values held in `__slots__`, by name, nearest class first."""
    held = {}
    for base in _mro_of(type(obj)):
        if base is object:
            continue
        for name, descriptor in list(_dict_of(base).items()):
            if type(descriptor) is types.MemberDescriptorType and name not in held and type(name) is str:
                if name.startswith("__") and name.endswith("__"):
                    continue
                try:
                    held[name] = descriptor.__get__(obj)
                except Exception:
                    continue
    return held


def attribute_value(obj, name):
    """An attribute held by the instance itself (dict or slot), else MISSING."""
    held = instance_dict(obj)
    if held is not None and name in held:
        return held[name]
    found, _ = find_in_class(type(obj), name)
    if type(found) is types.MemberDescriptorType:
        try:
            return found.__get__(obj)
        except Exception:
            return MISSING
    return MISSING


def has_dynamic_attributes(obj):
    """True when a name that static lookup does not find may still exist."""
    cls = type(obj)
    if is_a(obj, types.ModuleType):
        return "__getattr__" in (module_dict(obj) or {}) or _overrides(cls, types.ModuleType)
    if is_class(obj):
        return _overrides(cls, type)
    return _overrides(cls, object) or _has_odd_dict(obj)


def _has_odd_dict(obj):
    """Whether the attributes are kept where they cannot be looked up, as by `self.__dict__ = self`."""
    return find_in_class(type(obj), "__dict__")[0] is not MISSING and instance_dict(obj) is None


def _overrides(cls, plain):
    if defines(cls, "__getattr__"):
        return True
    _, holder = find_in_class(cls, "__getattribute__")
    return holder is not plain and holder is not object and id(holder) not in _GENERIC


def static_names(obj, limit):
    """Names that static lookup finds on the object, sorted; None when there are more than `limit`."""
    names = set()
    sources = []
    held = module_dict(obj) if is_a(obj, types.ModuleType) else None
    if held is not None:
        sources.append(held)
    else:
        own = instance_dict(obj)
        if own is not None and not is_class(obj):
            sources.append(own)
        sources.extend(_dict_of(base) for base in _mro_of(obj if is_class(obj) else type(obj)))
    for source in sources:
        names.update(name for name in list(source) if type(name) is str)
        if len(names) > limit:
            return None
    return sorted(names)
