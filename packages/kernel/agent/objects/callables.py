# Signatures as the interpreter will bind them: off the real code object of a Python function, off the text signature
# that C functions publish, and null wherever a decorator, a metaclass or a descriptor may decide otherwise.
import ast
import dis
import functools
import types

from .lookup import MISSING, class_dict, find_in_class, has_type, mro

POSITIONAL_ONLY = "positional_only"
POSITIONAL = "positional_or_keyword"
VAR_POSITIONAL = "var_positional"
KEYWORD_ONLY = "keyword_only"
VAR_KEYWORD = "var_keyword"

CO_VARARGS, CO_VARKEYWORDS = 0x04, 0x08
CO_COROUTINE, CO_ASYNC_GENERATOR = 0x80, 0x200

# Where Keras defines `__new__` of its layers.
HANDING_ON = frozenset(("keras.src.layers.layer", "keras.src.ops.operation"))

_global_names = {}


def parameter(name, kind, has_default):
    return {"name": name, "kind": kind, "has_default": has_default}


def of_function(function):
    code = function.__code__
    defaults = function.__defaults__ or ()
    keyword_defaults = function.__kwdefaults__ or {}
    positional = code.co_varnames[: code.co_argcount]
    first_default = len(positional) - len(defaults)
    told = []
    for index, name in enumerate(positional):
        kind = POSITIONAL_ONLY if index < code.co_posonlyargcount else POSITIONAL
        told.append(parameter(name, kind, index >= first_default))
    position = code.co_argcount + code.co_kwonlyargcount
    if code.co_flags & CO_VARARGS:
        told.append(parameter(code.co_varnames[position], VAR_POSITIONAL, False))
        position += 1
    keywords = code.co_varnames[code.co_argcount : code.co_argcount + code.co_kwonlyargcount]
    told.extend(parameter(name, KEYWORD_ONLY, name in keyword_defaults) for name in keywords)
    if code.co_flags & CO_VARKEYWORDS:
        told.append(parameter(code.co_varnames[position], VAR_KEYWORD, False))
    return told


def without_first(parameters):
    """What is left for the caller once `self` or `cls` is bound."""
    if parameters is None or not parameters:
        return None
    if parameters[0]["kind"] in (POSITIONAL_ONLY, POSITIONAL):
        return parameters[1:]
    return parameters if parameters[0]["kind"] == VAR_POSITIONAL else None


def of_text(text, bound):
    """A C function's published signature; the receiver, marked by `$`, is dropped when it is already bound."""
    if type(text) is not str or not text.startswith("("):
        return None
    try:
        definition = ast.parse("def f%s: pass" % text.replace("$", "")).body[0]
    except (SyntaxError, ValueError):
        return None
    if not isinstance(definition, ast.FunctionDef):
        return None
    arguments, told = definition.args, []
    positional = arguments.posonlyargs + arguments.args
    first_default = len(positional) - len(arguments.defaults)
    for index, argument in enumerate(positional):
        kind = POSITIONAL_ONLY if index < len(arguments.posonlyargs) else POSITIONAL
        told.append(parameter(argument.arg, kind, index >= first_default))
    if arguments.vararg:
        told.append(parameter(arguments.vararg.arg, VAR_POSITIONAL, False))
    for argument, default in zip(arguments.kwonlyargs, arguments.kw_defaults):
        told.append(parameter(argument.arg, KEYWORD_ONLY, default is not None))
    if arguments.kwarg:
        told.append(parameter(arguments.kwarg.arg, VAR_KEYWORD, False))
    return without_first(told) if "$" in text and (bound or "$module" in text) else told


def of_class(cls, metaclass_call):
    """What calling the class accepts. Null when the metaclass or a C-level constructor decides."""
    if metaclass_call is not MISSING and metaclass_call is not type.__dict__["__call__"]:
        return None
    new, _ = find_in_class(cls, "__new__")
    init, _ = find_in_class(cls, "__init__")
    if type(new) is staticmethod:
        new = new.__func__
    plain_new = new is object.__dict__["__new__"] or _hands_on(new)
    plain_init = init is object.__dict__["__init__"]
    if plain_new and type(init) is types.FunctionType:
        return without_first(of_function(init))
    if plain_init and type(new) is types.FunctionType:
        return without_first(of_function(new))
    if plain_new and plain_init and all(base is object or _is_heap(base) for base in mro(cls)):
        return []
    return None


def _hands_on(new):
    """Whether it is a `__new__` of Keras' own layers, which takes anything and leaves it to `__init__`."""
    if type(new) is not types.FunctionType or new.__module__ not in HANDING_ON:
        return False
    told = without_first(of_function(new)) or []
    return [entry["kind"] for entry in told] == [VAR_POSITIONAL, VAR_KEYWORD]


def _is_heap(cls):
    return "__module__" in class_dict(cls)


def of_callable(obj):
    """Signature of any callable whose binding is known; else None."""
    kind = type(obj)
    if kind is types.FunctionType:
        return of_function(obj)
    if kind is types.MethodType:
        inner = obj.__func__
        return without_first(of_function(inner)) if type(inner) is types.FunctionType else None
    if kind is types.BuiltinFunctionType:
        return of_text(obj.__text_signature__, bound=True)
    if has_type(obj, types.MethodDescriptorType, types.WrapperDescriptorType, types.MethodWrapperType):
        return of_text(obj.__text_signature__, bound=kind is types.MethodWrapperType)
    if kind is staticmethod:
        return of_callable(obj.__func__)
    if kind is classmethod:
        return without_first(of_callable(obj.__func__))
    if kind is functools.partial:
        return _of_partial(obj)
    call, _ = find_in_class(kind, "__call__")
    return without_first(of_function(call)) if type(call) is types.FunctionType else None


def _of_partial(obj):
    told = of_callable(obj.func) if type(obj.func) is not functools.partial else None
    if told is None:
        return None
    for _ in obj.args:
        told = without_first(told)
        if told is None:
            return None
    given = set(obj.keywords)
    left = []
    keyword_from_here = False
    for entry in told:
        if entry["name"] in given and entry["kind"] in (POSITIONAL, KEYWORD_ONLY):
            keyword_from_here = keyword_from_here or entry["kind"] == POSITIONAL
            left.append(parameter(entry["name"], KEYWORD_ONLY, True))
        elif keyword_from_here and entry["kind"] == POSITIONAL:
            left.append(parameter(entry["name"], KEYWORD_ONLY, entry["has_default"]))
        elif keyword_from_here and entry["kind"] == VAR_POSITIONAL:
            return None
        else:
            left.append(entry)
    return left


def is_async(code):
    return bool(code.co_flags & (CO_COROUTINE | CO_ASYNC_GENERATOR))


def global_names(code):
    """Names that a code object and the code nested in it load from the module, in order of first use."""
    known = _global_names.get(code)
    if known is None:
        if len(_global_names) > 2000:
            _global_names.clear()
        known = _global_names[code] = list(dict.fromkeys(name for each in codes_within(code) for name in _loaded_by(each)))
    return known


def _loaded_by(code):
    stored = set()
    for instruction in dis.get_instructions(code):
        if instruction.opname == "STORE_NAME":
            stored.add(instruction.argval)
        elif instruction.opname == "LOAD_GLOBAL" or (
            instruction.opname in ("LOAD_NAME", "LOAD_FROM_DICT_OR_GLOBALS") and instruction.argval not in stored
        ):
            yield instruction.argval


def codes_within(code):
    """A code object, and the code nested in it."""
    yield code
    for constant in code.co_consts:
        if type(constant) is types.CodeType:
            yield from codes_within(constant)


def texts_in(code):
    """The texts that a code object and the code nested in it hold."""
    pending = [each.co_consts for each in codes_within(code)]
    while pending:
        for constant in pending.pop():
            if type(constant) is str:
                yield constant
            elif type(constant) is tuple or type(constant) is frozenset:
                pending.append(constant)
