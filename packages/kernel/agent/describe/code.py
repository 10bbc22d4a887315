# Functions, methods, classes and modules: signature off the real code object, source and cell of definition, names
# that they load. Functions of the notebook lead the walk on to the globals they use.
import types

from ..objects.budget import MEMBERS
from ..objects.callables import global_names, is_async, of_callable, of_class
from ..objects.lookup import (
    base_names,
    class_dict,
    class_module,
    class_name,
    find_in_class,
    has_dynamic_attributes,
    has_type,
    instance_dict,
    module_dict,
    mro,
)
from .builtins import is_user_class
from .registry import describes

SOURCE_LIMIT = 20_000
WRAPPERS = 6


@describes("types:FunctionType")
def describe_function(obj, fact, walk):
    fact.kind = "function"
    code = obj.__code__
    fact.representation["signature"] = of_callable(obj)
    fact.representation["is_async"] = is_async(code)
    fact.representation["name"] = code.co_name
    module = obj.__globals__.get("__name__")
    if type(module) is str:
        fact.structural["module"] = module
    tell_definition(code.co_filename, getattr_qualname(obj), code.co_firstlineno, fact, walk)
    wrapped = (obj.__dict__ or {}).get("__wrapped__")
    if wrapped is not None:
        fact.structural["related"] = {"wrapped": fact.child(wrapped)}
    if obj.__globals__ is not walk.state.namespace:
        return
    names = global_names(code)
    fact.structural["globals"] = names
    walk.want_names(names, fact.hop + 1)
    tell_closure(obj, code, fact)
    tell_defaults(obj, code, fact)


def getattr_qualname(function):
    qualname = function.__qualname__
    return qualname if type(qualname) is str else function.__code__.co_name


def tell_definition(filename, qualname, line, fact, walk):
    """Cell, source and line of a definition, when it stands in a cell."""
    count = walk.state.cells.execution_count(filename)
    if count is None:
        return
    fact.structural["defined_in"] = count
    text, start = walk.state.cells.source(filename, qualname, line)
    if text is not None:
        fact.structural["source"] = text[:SOURCE_LIMIT]
        fact.structural["source_line"] = start


def tell_closure(obj, code, fact):
    cells = obj.__closure__ or ()
    captured = {}
    for name, cell in zip(code.co_freevars, cells):
        try:
            captured[name] = fact.child(cell.cell_contents)
        except ValueError:
            continue
    if captured:
        fact.structural["closure"] = captured


def tell_defaults(obj, code, fact):
    """What the parameters fall back to by now: defaults can be changed after the definition."""
    positional, values = code.co_varnames[: code.co_argcount], obj.__defaults__ or ()
    held = dict(zip(positional[-len(values) :], values)) if values else {}
    held.update((name, value) for name, value in (obj.__kwdefaults__ or {}).items() if type(name) is str)
    if held:
        fact.structural["defaults"] = {name: fact.child(value) for name, value in held.items()}


@describes("functools:_lru_cache_wrapper")
def describe_cached(obj, fact, walk):
    """A cached function binds its arguments as the function it wraps."""
    fact.kind = "function"
    wrapped = (instance_dict(obj) or {}).get("__wrapped__")
    if wrapped is not None:
        fact.representation["signature"] = of_callable(wrapped) if type(wrapped) is types.FunctionType else None
        fact.structural["related"] = {"wrapped": fact.child(wrapped)}


@describes("types:MethodType")
def describe_method(obj, fact, walk):
    fact.kind = "method"
    fact.representation["signature"] = of_callable(obj)
    fact.structural["related"] = {"function": fact.child(obj.__func__), "receiver": fact.child(obj.__self__)}


@describes(
    "types:BuiltinFunctionType", "types:MethodDescriptorType", "types:WrapperDescriptorType",
    "types:MethodWrapperType", "types:ClassMethodDescriptorType",
)
def describe_builtin(obj, fact, walk):
    fact.kind = "builtin"
    fact.representation["signature"] = of_callable(obj)
    name = obj.__name__
    if type(name) is str:
        fact.representation["name"] = name
    module = obj.__module__ if type(obj) is types.BuiltinFunctionType else None
    if type(module) is str:
        fact.structural["module"] = module


@describes("builtins:staticmethod", "builtins:classmethod")
def describe_unbound(obj, fact, walk):
    fact.kind = "method"
    fact.representation["callable"] = True
    fact.representation["signature"] = of_callable(obj)
    fact.structural["related"] = {"function": fact.child(obj.__func__)}


@describes("functools:partial")
def describe_partial(obj, fact, walk):
    fact.kind = "partial"
    fact.representation["signature"] = of_callable(obj)
    fact.structural["related"] = {"function": fact.child(obj.func)}


@describes("builtins:property", "types:GetSetDescriptorType", "types:MemberDescriptorType")
def describe_descriptor(obj, fact, walk):
    fact.kind = "descriptor"
    fact.structural["descriptor"] = True


@describes("builtins:type")
def describe_class(obj, fact, walk):
    fact.kind = "class"
    fact.representation["callable"] = True
    fact.representation["name"] = class_name(obj)
    fact.representation["signature"] = of_class(obj, find_in_class(type(obj), "__call__")[0])
    fact.structural["base_classes"] = base_names(obj)
    fact.structural["dynamic_attributes"] = has_dynamic_attributes(obj)
    if not is_user_class(obj):
        return
    filename, text, line = walk.state.cells.of_class(obj, qualname_of(obj))
    if filename is not None:
        fact.structural["defined_in"] = walk.state.cells.execution_count(filename)
        fact.structural["source"] = text[:SOURCE_LIMIT]
        fact.structural["source_line"] = line
        fact.structural["replaced"] = replaced_methods(obj, filename, text, line)
    tell_methods(obj, fact, walk)


def qualname_of(cls):
    name = class_name(cls)
    return name[len(class_module(cls)) + 1 :]


def replaced_methods(cls, filename, text, line):
    """Names that the text of a class defines as methods and under which the class holds something else by now."""
    found, lines = [], range(line, line + text.rstrip().count("\n") + 1)
    for name, value in list(class_dict(cls).items()):
        if type(name) is str and "def " + name in text and not _is_defined_there(value, name, filename, lines):
            found.append(name)
    return found


def unwrapped(value):
    """What a static method, class method or property is made of; any other value itself."""
    if has_type(value, staticmethod, classmethod):
        return value.__func__
    return value.fget if has_type(value, property) else value


def _is_defined_there(value, name, filename, lines):
    """Whether the function, below whatever it is wrapped in, is the one of that name in those lines of the file."""
    for _ in range(WRAPPERS):
        inner = unwrapped(value)
        if inner is not value:
            value = inner
        elif type(value) is types.FunctionType and (value.__dict__ or {}).get("__wrapped__") is None:
            code = value.__code__
            return code.co_filename == filename and code.co_firstlineno in lines and code.co_name == name
        else:
            value = (instance_dict(value) or {}).get("__wrapped__") or (instance_dict(value) or {}).get("func")
    return False


def tell_methods(cls, fact, walk):
    """Methods and class attributes of a class of the notebook and of its bases that are of the notebook too."""
    held, names = {}, {}
    for base in mro(cls):
        if not is_user_class(base):
            continue
        for name, value in list(class_dict(base).items()):
            if type(name) is not str or name in held or name in HIDDEN:
                continue
            held[name] = value
            inner = value.__func__ if has_type(value, staticmethod, classmethod) else value
            if type(inner) is types.FunctionType and inner.__globals__ is walk.state.namespace:
                names.update(dict.fromkeys(global_names(inner.__code__)))
    fact.structural["attributes"] = {name: fact.child(held[name]) for name in list(held)[:MEMBERS]}
    fact.structural["globals"] = list(names)
    walk.want_names(list(names), fact.hop + 1)


HIDDEN = frozenset(
    "__module__ __qualname__ __doc__ __dict__ __weakref__ __annotations__ __firstlineno__ __static_attributes__"
    " __annotate_func__ __annotations_cache__ __abstractmethods__ _abc_impl __parameters__ __orig_bases__".split()
)


@describes("types:ModuleType")
def describe_module(obj, fact, walk):
    fact.kind = "module"
    held = module_dict(obj) or {}
    fact.structural["dynamic_attributes"] = has_dynamic_attributes(obj)
    for key, name in (("origin", "__file__"), ("version", "__version__")):
        if type(held.get(name)) is str:
            fact.structural[key] = held[name]
    if type(held.get("__name__")) is str:
        fact.representation["name"] = held["__name__"]
