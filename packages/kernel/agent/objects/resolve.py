# Static lookup of one attribute, in the order in which Python itself would look. What a descriptor or `__getattr__`
# would compute is "present, value unknown" or "unknown"; only what provably does not exist is "absent".
import types

from ..protocol import reasons
from .lookup import (
    FUNCTION_TYPES,
    MISSING,
    attribute_value,
    defines,
    find_in_class,
    has_dynamic_attributes,
    instance_dict,
    is_a,
    is_class,
    module_dict,
)
from .module_hooks import verdict as hook_verdict


def resolve(obj, name, resolvers):
    """Static lookup of one attribute: (status, value, reason); value is MISSING when it would have to be computed."""
    if is_a(obj, types.ModuleType):
        return _of_module(obj, name)
    if is_class(obj):
        found, _ = find_in_class(obj, name)
        if found is not MISSING:
            return "present", _from_class(found, obj), None
        if find_in_class(type(obj), name)[0] is not MISSING:
            return "present", MISSING, reasons.value_computed()
    else:
        found, _ = find_in_class(type(obj), name)
        if found is not MISSING and _is_data_descriptor(found):
            if type(found) is types.MemberDescriptorType:
                held = attribute_value(obj, name)
                if held is not MISSING:
                    return "present", held, None
                return ("unknown" if has_dynamic_attributes(obj) else "absent"), MISSING, reasons.slot_empty()
            return "present", MISSING, reasons.value_computed()
        held = instance_dict(obj)
        if held is not None and name in held:
            return "present", held[name], None
        if found is not MISSING:
            held = _bound(found, obj)
            return "present", held, (reasons.value_computed() if held is MISSING else None)
        answered = _library_attribute(obj, name, resolvers)
        if answered is not None:
            return answered
    if has_dynamic_attributes(obj):
        return "unknown", MISSING, reasons.class_computes()
    return "absent", MISSING, None


def _of_module(module, name):
    held = module_dict(module) or {}
    found = held.get(name, MISSING)
    if found is not MISSING:
        return "present", found, None
    if defines(type(module), name):
        return "present", MISSING, reasons.value_computed()
    if not has_dynamic_attributes(module):
        return "absent", MISSING, None
    answered = hook_verdict(held, name) if type(module) is types.ModuleType else None
    if answered is not None:
        return answered[0], MISSING, answered[1]
    return "unknown", MISSING, reasons.module_computes()


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
        return found.__get__(obj, type(obj))
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
