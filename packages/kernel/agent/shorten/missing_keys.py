# A key that no further round can add: `history["valid_acc"]`, where the notebook's code only ever stores under other words,
# or `losses[0]`, where it counts from one.
import ast

from .codes import BY_NAMELESS, codes_of, names_in
from .things import is_code

READING = frozenset(("keys", "values", "items", "get", "copy"))
COUNTING = frozenset(("len", "print", "sorted", "list", "sum", "max", "min"))


def is_never_stored(node, key, statements, values, numbered):
    """Whether this asks a table of the notebook for a key under which no code stores anything in it. The table is made by a
    display with plain keys, and nothing but its keys is ever touched: it has no second name. `numbered`: what keys that are
    made of the number of a round may be."""
    if not (isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name)):
        return False
    name = node.value.id
    if type(key) not in (str, int) or type(values.get(name)) is not dict:
        return False
    parts = [part for statement in statements for part in ast.walk(statement)]
    if any(isinstance(part, ast.Name) and part.id in BY_NAMELESS for part in parts):
        return False
    named = [part for part in parts if isinstance(part, ast.Name) and part.id == name]
    allowed = {id(use) for part in parts for use in _harmless(part, key, values, numbered)}
    made_here = any(isinstance(part.ctx, ast.Store) for part in named)
    return made_here and all(id(part) in allowed for part in named) and not _used_elsewhere(name, parts, values)


def _harmless(part, key, values, numbered):
    """The names in this part whose use stores nothing under the key, and gives their table no second name."""
    if isinstance(part, ast.Assign) and len(part.targets) == 1:
        (target,) = part.targets
        pairs = [(target, part.value)]
        if isinstance(target, ast.Tuple) and isinstance(part.value, ast.Tuple) and len(target.elts) == len(part.value.elts):
            pairs = list(zip(target.elts, part.value.elts))
        return [one for one, value in pairs if isinstance(one, ast.Name) and _is_display_without(value, key)]
    if isinstance(part, ast.Subscript):
        return [part.value] if isinstance(part.ctx, ast.Load) or not numbered.may_be(part.slice, {key}) else []
    if isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute) and part.func.attr in READING:
        return [part.func.value]
    if isinstance(part, ast.Call) and getattr(part.func, "id", None) in COUNTING - set(values):
        return part.args
    if isinstance(part, ast.Compare) and all(isinstance(how, (ast.In, ast.NotIn)) for how in part.ops):
        return part.comparators
    if isinstance(part, (ast.For, ast.comprehension)):
        return [part.iter]
    return []


def _is_display_without(value, key):
    return isinstance(value, ast.Dict) and all(isinstance(one, ast.Constant) and one.value != key for one in value.keys)


def _used_elsewhere(name, parts, values):
    """Whether a function or class of the notebook whose text is not among the parts may use the name."""
    known = {part.name for part in parts if isinstance(part, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))}
    return any(
        name in names_in(code)
        for held, value in list(values.items())
        if held not in known and is_code(value)
        for code in codes_of(value)
    )
