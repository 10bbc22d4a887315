# Plain Python objects that are neither containers nor code: iterators, files, weak references, exceptions, and any
# instance of a class that no library describer knows.
import os
import types

from ..objects.budget import ATTRIBUTES, MEMBERS
from ..objects.lookup import (
    attribute_value,
    class_module,
    has_dynamic_attributes,
    instance_dict,
    is_a,
    slots,
    static_names,
)
from ..protocol import reasons
from .registry import describes


@describes("builtins:object")
def describe_instance(obj, fact, walk):
    """Instance of a class that nobody registered: what it holds itself, nothing computed."""
    fact.kind = "instance"
    fact.structural["dynamic_attributes"] = has_dynamic_attributes(obj)
    fact.structural["related"] = {"class": fact.child(type(obj))} if is_user_class(type(obj)) else {}
    tell_attributes(obj, fact, walk)
    if is_user_class(type(obj)):
        names = static_names(obj, MEMBERS)
        if names is not None:
            fact.structural["members"] = [name for name in names if not name.startswith("__")]


def tell_attributes(obj, fact, walk, skip=()):
    """`attributes`: what the instance dict and slots hold."""
    if walk.is_shallow(fact):
        return
    held = dict(instance_dict(obj) or {})
    held.update(slots(obj))
    names = [name for name in held if type(name) is str and name not in skip]
    if len(names) > ATTRIBUTES:
        walk.budget.note(reasons.attributes_cut(fact.cls, ATTRIBUTES, len(names)))
    fact.structural["attributes"] = {name: fact.child(held[name]) for name in names[:ATTRIBUTES]}


def is_user_class(cls):
    return class_module(cls) == "__main__"


@describes("types:GeneratorType", "types:CoroutineType", "types:AsyncGeneratorType")
def describe_generator(obj, fact, walk):
    fact.kind = "coroutine" if type(obj) is types.CoroutineType else "generator"
    code = obj.cr_code if type(obj) is types.CoroutineType else getattr(obj, "gi_code", None)
    if code is not None:
        fact.representation["name"] = code.co_name
    if type(obj) is types.GeneratorType:
        fact.values["exhausted"] = obj.gi_frame is None


@describes("weakref:ReferenceType", "weakref:ProxyType", "weakref:CallableProxyType")
def describe_weakref(obj, fact, walk):
    fact.kind = "weakref"


@describes("_io:_IOBase")
def describe_file(obj, fact, walk):
    fact.kind = "file"


@describes("builtins:BaseException")
def describe_exception(obj, fact, walk):
    fact.kind = "exception"
    args = BaseException.__dict__["args"].__get__(obj)
    if not walk.is_shallow(fact) and is_a(args, tuple):
        fact.structural["items"] = [fact.child(value) for value in tuple.__iter__(args)][:8]


@describes("re:Pattern")
def describe_pattern(obj, fact, walk):
    fact.kind = "pattern"
    if type(obj.pattern) is str:
        fact.values["literal"] = obj.pattern[:200]


@describes("builtins:range")
def describe_range(obj, fact, walk):
    fact.kind = "range"
    fact.representation["length"] = len(obj)
    fact.values["range"] = [obj.start, obj.stop, obj.step]


@describes("builtins:slice")
def describe_slice(obj, fact, walk):
    fact.kind = "slice"


@describes(
    "builtins:zip", "builtins:map", "builtins:filter", "builtins:enumerate", "builtins:reversed",
    "itertools:chain", "itertools:islice", "itertools:count", "itertools:cycle", "itertools:product",
    "itertools:permutations", "itertools:combinations", "itertools:repeat", "itertools:starmap",
    "itertools:takewhile", "itertools:dropwhile", "itertools:groupby", "itertools:accumulate",
)
def describe_iterator(obj, fact, walk):
    """Never advanced: that an iterator exists is all that can be said."""
    fact.kind = "iterator"


@describes("pathlib:PurePath")
def describe_path(obj, fact, walk):
    """With its text, put together from the parts it holds: asking the path for it would store it in the object."""
    fact.kind = "path"
    text = _path_text(obj)
    if text is not None:
        fact.structural["attributes"] = {"_str": fact.child(text)}


def _path_text(obj):
    held = attribute_value(obj, "_str")
    if type(held) is str:
        return held
    raw = attribute_value(obj, "_raw_paths")
    if type(raw) is list and all(type(part) is str for part in raw):
        return os.path.join(*raw) if raw else "."
    parts, drive, root = (attribute_value(obj, name) for name in ("_parts", "_drv", "_root"))
    if type(parts) is not list or type(drive) is not str or type(root) is not str:
        return None
    if any(type(part) is not str for part in parts):
        return None
    return drive + root + os.sep.join(parts[1:] if drive or root else parts) or "."


@describes("threading:Thread", "_thread:lock", "socket:socket", "subprocess:Popen")
def describe_handle(obj, fact, walk):
    """Things of the operating system: named, never touched."""
    fact.kind = "handle"
