# What compiled code of the notebook names, binds, sets and may change.
import ast
import dis
import types

from ..objects.callables import codes_within

CHANGING = frozenset("append appendleft extend insert add update pop popitem remove clear setdefault".split())
SETTING = frozenset("setattr add_module register_module register_buffer register_parameter __setattr__ __dict__".split())
# What adds one thing after the other; everything else that changes may add what no round that ran did.
ADDING = frozenset(("append", "appendleft", "extend"))
BY_NAMELESS = frozenset(("exec", "eval", "globals", "locals", "vars"))


class Everything:
    def __contains__(self, _name):
        return True


def codes_of(value):
    wrapped = getattr(value, "__wrapped__", None) if callable(value) and not isinstance(value, type) else None
    if isinstance(wrapped, types.FunctionType) and wrapped.__module__ == "__main__":
        # What a decorator made of a function of the notebook.
        return [wrapped.__code__]
    if isinstance(value, types.FunctionType):
        return [value.__code__] if value.__module__ == "__main__" else []
    kind: type = value if isinstance(value, type) else type(value)
    classes = [base for base in kind.__mro__ if base.__module__ == "__main__"]
    members = [getattr(member, "__wrapped__", member) for base in classes for member in vars(base).values()]
    return [member.__code__ for member in members if isinstance(member, types.FunctionType)]


def codes_in(values):
    """All code of the notebook that these names hold."""
    return {code for value in list(values.values()) for code in codes_of(value)}


def names_in(code):
    """Every name that a code object and the code nested in it mention, those of attributes among them."""
    return {name for each in codes_within(code) for name in each.co_names}


def globals_bound(code):
    """Global names that the code binds or removes."""
    return _named_by(code, ("STORE_GLOBAL", "DELETE_GLOBAL"))


def globals_read(code):
    """Global names that the code reads, not those of attributes."""
    return _named_by(code, ("LOAD_GLOBAL", "LOAD_NAME"))


def _steps(code):
    return [step for each in codes_within(code) for step in dis.get_instructions(each)]


def _named_by(code, operations):
    return {step.argval for step in _steps(code) if step.opname in operations}


def attributes_set(texts):
    """Attributes that code sets; all, where it does not say."""
    parts = [part for text in texts for part in ast.walk(ast.parse(text))]
    if any(getattr(part, "id", None) in SETTING | BY_NAMELESS or getattr(part, "attr", None) in SETTING for part in parts):
        return Everything()
    return {part.attr for part in parts if isinstance(part, ast.Attribute) and not isinstance(part.ctx, ast.Load)}


def set_later(values):
    """Attributes that code of the notebook sets in other places than where an object is made; all, where it does not say."""
    codes = codes_in(values)
    if any(SETTING & names_in(code) or BY_NAMELESS & globals_read(code) for code in codes):
        return Everything()
    return {name for code in codes if code.co_name != "__init__" for name in _named_by(code, ("STORE_ATTR", "DELETE_ATTR"))}


def may_be_set(name, attribute, values):
    """Whether code of the notebook may set this attribute, or without one what is in this table, out of sight."""
    if attribute is not None:
        return attribute in set_later(values)
    return any(name in names_in(code) for code in codes_in(values))


def may_store(values, owner, name):
    """Whether code of the notebook, or of the object's class, sets an attribute of this name somewhere; in the notebook's
    also one of a name that is not spelled out."""
    own = codes_in(values)
    members = [member for base in type(owner).__mro__ for member in vars(base).values()]
    codes = own.union(member.__code__ for member in members if isinstance(member, types.FunctionType))
    if any(SETTING & set(code.co_names) for code in own):
        return True
    return any(name in _named_by(code, ("STORE_ATTR",)) for code in codes)


def adds_keys(code):
    """Whether the code may put something under a key, or into a set."""
    return bool((CHANGING - ADDING) & names_in(code)) or any(step.opname == "STORE_SUBSCR" for step in _steps(code))


def may_lengthen(code):
    """Whether the code may add to something that it did not make."""
    return bool(CHANGING & names_in(code)) or any(
        step.opname.startswith(("INPLACE", "STORE_SUBSCR")) or (step.opname == "BINARY_OP" and "=" in step.argrepr)
        for step in _steps(code)
    )
