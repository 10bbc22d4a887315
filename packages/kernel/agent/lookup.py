# Looking at objects without running their code. Everything goes through the C-level descriptors of `type` and
# `object`: no `__getattr__`, no property, no `__class__` that lies, no metaclass override is ever called.
import types

MISSING = object()

_mro_of = type.__dict__["__mro__"].__get__
_dict_of = type.__dict__["__dict__"].__get__
_module_of = type.__dict__["__module__"].__get__
_qualname_of = type.__dict__["__qualname__"].__get__
_module_dict_of = types.ModuleType.__dict__["__dict__"].__get__

FUNCTION_TYPES = (
    types.FunctionType,
    types.BuiltinFunctionType,
    types.MethodDescriptorType,
    types.WrapperDescriptorType,
    types.ClassMethodDescriptorType,
)


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
        found = _dict_of(base).get(name, MISSING)
        if found is not MISSING:
            return found, base
    return MISSING, None


def defines(cls, name):
    """Whether instances of `cls` have the special method; None as its value takes it away."""
    found, _ = find_in_class(cls, name)
    return found is not MISSING and found is not None


def instance_dict(obj):
    """The real `__dict__` of an instance, or None."""
    for base in _mro_of(type(obj)):
        holder = _dict_of(base).get("__dict__")
        if holder is not None:
            if type(holder) is not types.GetSetDescriptorType:
                return None
            try:
                held = holder.__get__(obj)
            except Exception:
                return None
            return held if type(held) is dict else None
    return None


def module_dict(module):
    if module is None or not is_a(module, types.ModuleType):
        return None
    return _module_dict_of(module)


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
        return "__getattr__" in _module_dict_of(obj) or _overrides(cls, types.ModuleType)
    if is_class(obj):
        return _overrides(cls, type)
    return _overrides(cls, object)


def _overrides(cls, plain):
    if defines(cls, "__getattr__"):
        return True
    _, holder = find_in_class(cls, "__getattribute__")
    return holder is not plain and holder is not object


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
        for base in _mro_of(obj) if is_class(obj) else _mro_of(type(obj)):
            sources.append(_dict_of(base))
    for source in sources:
        names.update(name for name in list(source) if type(name) is str)
        if len(names) > limit:
            return None
    return sorted(names)


def resolve(obj, name, resolvers):
    """Static lookup of one attribute: (status, value, because); value is MISSING when it would have to be computed."""
    if is_a(obj, types.ModuleType):
        found = _module_dict_of(obj).get(name, MISSING)
        if found is not MISSING:
            return "present", found, None
        if defines(types.ModuleType, name):
            return "present", MISSING, "held by the module type"
    elif is_class(obj):
        found, _ = find_in_class(obj, name)
        if found is not MISSING:
            return "present", _from_class(found, obj), None
        if find_in_class(type(obj), name)[0] is not MISSING:
            return "present", MISSING, "held by the metaclass"
    else:
        found, _ = find_in_class(type(obj), name)
        if found is not MISSING and _is_data_descriptor(found):
            if type(found) is types.MemberDescriptorType:
                held = attribute_value(obj, name)
                if held is not MISSING:
                    return "present", held, None
                return ("unknown", MISSING, "slot is empty") if has_dynamic_attributes(obj) else ("absent", MISSING, None)
            return "present", MISSING, "descriptor"
        held = instance_dict(obj)
        if held is not None and name in held:
            return "present", held[name], None
        if found is not MISSING:
            held = _bound(found, obj)
            return "present", held, ("descriptor" if held is MISSING else None)
        answered = _library_attribute(obj, name, resolvers)
        if answered is not None:
            return answered
    if has_dynamic_attributes(obj):
        return "unknown", MISSING, "the class or module computes attributes"
    return "absent", MISSING, None


def _library_attribute(obj, name, resolvers):
    """Ask a library's resolver when the `__getattr__` in force is that library's own."""
    hook, holder = find_in_class(type(obj), "__getattr__")
    if hook is MISSING or find_in_class(type(obj), "__getattribute__")[1] is not object:
        return None
    resolver = resolvers.get(id(holder))
    if resolver is None:
        return None
    status, value = resolver(obj, name)
    return status, value, None


def _is_data_descriptor(found):
    return defines(type(found), "__set__") or defines(type(found), "__delete__")


def _bound(found, obj):
    """A class attribute as seen on an instance; MISSING when a descriptor would compute it."""
    kind = type(found)
    if kind is types.FunctionType:
        return types.MethodType(found, obj)
    if kind is types.MethodDescriptorType or kind is types.WrapperDescriptorType:
        return found.__get__(obj)
    if kind is staticmethod:
        return found.__func__
    if kind is classmethod:
        return types.MethodType(found.__func__, type(obj))
    return MISSING if defines(kind, "__get__") and kind is not types.BuiltinFunctionType else found


def _from_class(found, cls):
    """A class attribute as seen on the class itself."""
    kind = type(found)
    if any(kind is plain for plain in FUNCTION_TYPES):
        return found
    if kind is staticmethod:
        return found.__func__
    if kind is classmethod:
        return types.MethodType(found.__func__, cls)
    return MISSING if defines(kind, "__get__") else found
